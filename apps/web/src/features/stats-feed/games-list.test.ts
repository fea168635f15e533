import { describe, expect, test } from 'vitest';
import { isHistoryRefreshDue, isUnsettled } from './games-list.tsx';

describe('isUnsettled', () => {
  test.each([
    ['pending', 'hash', true],
    ['processing', 'hash', true],
    ['completed', 'hash', false],
    ['completed', undefined, true],
    ['completed', null, true],
    ['completed', '', true],
  ])('%s with signature %j: %s', (status, txnHash, unsettled) => {
    expect(isUnsettled({ status, txnHash })).toBe(unsettled);
  });
});

describe('isHistoryRefreshDue', () => {
  const settled = { status: 'completed', txnHash: 'h' };
  const pending = { status: 'pending' };
  test.each([
    [1, [settled], true],
    [2, [], true],
    [3, [settled], false],
    [3, [settled, pending], true],
    [24, [pending], true],
    [25, [pending], false],
  ])('tick %d with %j: %s', (tick, rows, due) => {
    expect(isHistoryRefreshDue(tick, rows)).toBe(due);
  });
});

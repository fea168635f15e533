import type { SolvencyLobby } from '@engulf/protocol/http/solvency';
import { describe, expect, test } from 'vitest';
import { currentState, differenceNotes, historyBars } from './solvency-model.ts';

const READ_AT = '2026-11-15T12:00:00.000Z';
const READ_AT_MS = Date.parse(READ_AT);

function aLobby(change: Partial<NonNullable<SolvencyLobby['reading']>> = {}): SolvencyLobby {
  const money = { pool: '100', owed: '100', bounties: '100', spill: '0', payouts: '0' };
  const difference = { surplus: '0', gifts: '0', missing: '0' };
  return {
    lobbyId: 'a',
    name: 'Shallows',
    tokenSymbol: 'GULP',
    tokenDecimals: 2,
    tokenMint: 'mint',
    state: 'covered',
    account: null,
    reading: { readAt: READ_AT, slot: '7', people: 1, ...money, ...difference, ...change },
  };
}

describe('a reading', () => {
  test('counts until it is too old, even if the page gets no newer one', () => {
    expect(currentState(aLobby(), 60_000, READ_AT_MS + 60_000)).toBe('covered');
    expect(currentState(aLobby(), 60_000, READ_AT_MS + 60_001)).toBe('unknown');
    expect(currentState({ state: 'unknown', reading: null }, 60_000, READ_AT_MS)).toBe('unknown');
  });
});

test.each([
  [{}, ['to the last unit']],
  [{ missing: '250' }, ['2.5 GULP is missing']],
  [{ surplus: '30', gifts: '30' }, ['0.3 GULP of it was given to the pool']],
  [
    { surplus: '30', gifts: '10' },
    ['0.1 GULP of it was given to the pool', '0.2 GULP of it is not matched with an entry yet'],
  ],
])('the difference %j is explained', (change, notes) => {
  expect(differenceNotes(aLobby(change))).toEqual(notes);
});

test('bars run from old to new, and an empty pool can still be seen', () => {
  const row = { readAt: READ_AT, slot: '1', people: 0 };
  const bars = historyBars([
    { ...row, pool: '0', owed: '200', isCovered: false },
    { ...row, pool: '100', owed: '50', isCovered: true },
    { ...row, pool: '0', owed: '0', isCovered: true },
  ]);
  expect(bars.map(({ height }) => height)).toEqual([0.08, 0.5, 1]);
  expect(bars.map(({ isCovered }) => isCovered)).toEqual([true, true, false]);
});

import { describe, expect, test } from 'vitest';
import { agoText, countText, spanText } from './format.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;

describe('agoText', () => {
  test.each([
    [0, 'now'],
    [-5_000, 'now'],
    [12_000, '12 s ago'],
    [3 * MINUTE + 59_000, '3 min ago'],
    [2 * HOUR, '2 h ago'],
    [50 * HOUR, '2 d ago'],
  ])('%i ms reads %s', (passedMs, text) => {
    expect(agoText(1_000_000_000 - passedMs, 1_000_000_000)).toBe(text);
  });
});

describe('spanText', () => {
  test.each([
    [400, '1 s'],
    [48 * MINUTE, '48 min'],
    [HOUR, '1 h'],
    [HOUR + 24 * MINUTE, '1 h 24 min'],
    [72 * HOUR, '3 d'],
  ])('%i ms reads %s', (spanMs, text) => {
    expect(spanText(spanMs)).toBe(text);
  });
});

test('countText separates thousands', () => {
  expect([0, 999, 1_000, 1_234_567].map(countText)).toEqual(['0', '999', '1,000', '1,234,567']);
});

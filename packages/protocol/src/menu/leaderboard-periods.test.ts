import { expect, test } from 'vitest';
import { DEFAULT_LEADERBOARD_TAB, isOwnRankShown, LEADERBOARD_PERIODS } from './leaderboard-periods.ts';

test('the own rank shows from the ninth on', () => {
  expect(isOwnRankShown(8)).toBe(false);
  expect(isOwnRankShown(9)).toBe(true);
});

test('the menu opens on a period it has', () => {
  expect(LEADERBOARD_PERIODS.map(({ tab }) => tab)).toContain(DEFAULT_LEADERBOARD_TAB);
});

export const LEADERBOARD_PERIODS = [
  { tab: '1D', event: '1d', days: 1 },
  { tab: '7D', event: '7d', days: 7 },
  { tab: '1M', event: '30d', days: 30 },
] as const;
export type LeaderboardPeriod = (typeof LEADERBOARD_PERIODS)[number];

export const DEFAULT_LEADERBOARD_TAB: LeaderboardPeriod['tab'] = '7D';

export const MENU_MEDALS = 3;
export const ROOM_LEADERBOARD_ROWS = 8;

/** In the game the own rank stands below the list when it is not in it. */
export function isOwnRankShown(rank: number): boolean {
  return rank > ROOM_LEADERBOARD_ROWS;
}

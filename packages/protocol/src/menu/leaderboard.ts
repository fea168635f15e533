import { z } from 'zod';
import { baseUnitsSchema, rowIdSchema } from '../wire-values.ts';

/** The biggest winners of a period, best first. SOL lobbies only: amounts of different tokens do not add up. */
export const menuLeaderboardSchema = z.array(
  z.object({
    _id: rowIdSchema,
    player: z.object({ avatarUrl: z.string().nullable(), name: z.string() }),
    totalWinningAmount: baseUnitsSchema,
    /** `totalWinningAmount` for people, in SOL. */
    totalWinningText: z.string(),
  }),
);

export type MenuLeaderboard = z.infer<typeof menuLeaderboardSchema>;

export const LEADERBOARD_PERIODS = [
  { tab: '1D', event: '1d', days: 1 },
  { tab: '7D', event: '7d', days: 7 },
  { tab: '1M', event: '30d', days: 30 },
] as const;
export type LeaderboardPeriod = (typeof LEADERBOARD_PERIODS)[number];

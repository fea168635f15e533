import { z } from 'zod';
import { baseUnitsSchema, rowIdSchema } from '../wire-values.ts';

/** Who won most in a period, best first. SOL lobbies only: amounts of different tokens do not add up. */
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

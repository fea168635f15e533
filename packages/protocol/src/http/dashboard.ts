import { z } from 'zod';
import {
  baseUnitsSchema,
  countSchema,
  isoTimeSchema,
  rowIdSchema,
  transactionSignatureSchema,
} from '../wire-values.ts';
import { type HttpCall, pageQuerySchema, pageSchema, perMinute, successSchema } from './call.ts';

const money = {
  amount: baseUnitsSchema,
  /** For people, in whole tokens. */
  amountText: z.string(),
  tokenSymbol: z.string(),
};

/** One payout of the signed-in user. */
const gameHistoryRowSchema = z.object({
  _id: rowIdSchema,
  gameId: rowIdSchema,
  /** The match it was won in; null if the player never entered one. */
  matchId: rowIdSchema.nullable(),
  createdAt: isoTimeSchema,
  /** True for a refund, false for a cash-out. */
  isRefund: z.boolean(),
  ...money,
  /** Its worth when the game ended, for people; null if no price was known then. */
  usdText: z.string().nullable(),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  /** What the player has to do before it can be paid; null if nothing. */
  waitsFor: z.enum(['tokenAccount', 'balance']).nullable(),
  /** Null until the payout is on the chain. */
  txnHash: transactionSignatureSchema.nullable(),
});

/** One finished game of any player. */
const activityRowSchema = z.object({
  _id: rowIdSchema,
  /** Null for a game from before there were recordings. */
  matchId: rowIdSchema.nullable(),
  playerId: z.object({ name: z.string() }),
  finalStatus: z.enum(['cashout', 'killed', 'forfeit', 'closed', 'fault']),
  ...money,
  createdAt: isoTimeSchema,
});

/** Over all SOL lobbies of the signed-in user; amounts are lamports. */
const statisticsSchema = z.object({
  depositedAmount: baseUnitsSchema,
  winningAmount: baseUnitsSchema,
  biggestWin: baseUnitsSchema,
  gamesPlayed: countSchema,
  /** Percentage of games left with a gain. */
  winrate: z.number().min(0).max(100),
  winStreak: countSchema,
});

export const listGamesHistory = {
  method: 'GET',
  path: '/api/dashboard/games_history',
  query: pageQuerySchema,
  answer: pageSchema(gameHistoryRowSchema),
  limit: perMinute(120),
} as const satisfies HttpCall;

export const listActivity = {
  method: 'GET',
  path: '/api/dashboard/list_activity',
  query: pageQuerySchema,
  answer: pageSchema(activityRowSchema),
  limit: perMinute(120),
} as const satisfies HttpCall;

export const readStatistics = {
  method: 'GET',
  path: '/api/dashboard/statistics',
  answer: z.object({ status: successSchema, data: statisticsSchema }),
  limit: perMinute(120),
} as const satisfies HttpCall;

export type GameHistoryRow = z.infer<typeof gameHistoryRowSchema>;
export type ActivityRow = z.infer<typeof activityRowSchema>;
export type Statistics = z.infer<typeof statisticsSchema>;

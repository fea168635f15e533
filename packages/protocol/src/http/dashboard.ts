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

const FINAL_STATUSES = ['cashout', 'killed', 'forfeit', 'closed', 'fault'] as const;

/** One payout of the signed-in user, or one game in a free lobby. */
const gameHistoryRowSchema = z.object({
  _id: rowIdSchema,
  gameId: rowIdSchema,
  /** The match it was won in; null if the player never entered one. */
  matchId: rowIdSchema.nullable(),
  createdAt: isoTimeSchema,
  /** True for a refund, false for a cash-out. */
  isRefund: z.boolean(),
  /** How the game ended; null if the player never entered one, or for play money of a game that is not over. */
  finalStatus: z.enum(FINAL_STATUSES).nullable().default(null),
  ...money,
  /** A game in a free lobby: nothing was paid, and there is no transaction. */
  isPlayMoney: z.boolean().default(false),
  /** Its worth when the game ended, for people; null if no price was known then. */
  usdText: z.string().nullable(),
  status: z.enum(['pending', 'processing', 'completed', 'failed']),
  /** What the player has to do before it can be paid; null if nothing. */
  waitsFor: z.enum(['tokenAccount', 'balance', 'review']).nullable(),
  /** Null until the payout is on the chain. */
  txnHash: transactionSignatureSchema.nullable(),
});

/** One finished game of any player. */
const activityRowSchema = z.object({
  _id: rowIdSchema,
  /** Null for a game from before there were recordings. */
  matchId: rowIdSchema.nullable(),
  playerId: z.object({ name: z.string() }),
  finalStatus: z.enum(FINAL_STATUSES),
  ...money,
  /** A game in a free lobby: nothing was paid. */
  isPlayMoney: z.boolean().default(false),
  lobbyName: z.string().default(''),
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

/** The best of a user's lives. */
const playRecordsSchema = z.object({
  lives: countSchema,
  bestMass: countSchema,
  longestLifeSeconds: countSchema,
  /** What came back for 1; 0 if nothing ever did. */
  bestMultiple: z.number().min(0),
  kills: countSchema,
  /** The most kills in one life. */
  bestStreak: countSchema,
});

/** The goal of the day in free lobbies. */
const goalSchema = z.object({
  kind: z.enum(['kills', 'mass', 'seconds', 'exits']),
  target: countSchema,
  progress: countSchema,
  /** On how many days the user has reached the goal. */
  goalDays: countSchema,
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

export const readRecords = {
  method: 'GET',
  path: '/api/dashboard/records',
  answer: z.object({
    status: successSchema,
    data: z.object({ free: playRecordsSchema, paid: playRecordsSchema, goal: goalSchema.optional() }),
  }),
  limit: perMinute(120),
} as const satisfies HttpCall;

export type GoalState = z.infer<typeof goalSchema>;
export type PlayRecords = z.infer<typeof playRecordsSchema>;
export type GameHistoryRow = z.infer<typeof gameHistoryRowSchema>;
export type ActivityRow = z.infer<typeof activityRowSchema>;
export type Statistics = z.infer<typeof statisticsSchema>;

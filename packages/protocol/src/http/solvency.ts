import { z } from 'zod';
import {
  baseUnitsSchema,
  countSchema,
  isoTimeSchema,
  rowIdSchema,
  walletAddressSchema,
} from '../wire-values.ts';
import { type HttpCall, perMinute, successSchema } from './call.ts';

/** Everything here is public and a sum: nobody's own bounty can be read from it. */
const amounts = {
  /** On the chain, final. */
  pool: baseUnitsSchema,
  /** What the books owe out of it. */
  owed: baseUnitsSchema,
};

const readingSchema = z.object({
  readAt: isoTimeSchema,
  /** Of the chain. */
  slot: baseUnitsSchema,
  ...amounts,
  /** The parts of `owed`: carried in the arena, forfeited but not yet shared, and on the way to wallets. */
  bounties: baseUnitsSchema,
  spill: baseUnitsSchema,
  payouts: baseUnitsSchema,
  /** To how many wallets it is owed. */
  people: countSchema,
  /** `pool` less `owed`, and the part of it that somebody gave to the pool without playing. */
  surplus: baseUnitsSchema,
  gifts: baseUnitsSchema,
  /** `owed` less `pool`. Anything but zero is a shortage. */
  missing: baseUnitsSchema,
});

/** `unknown`: never read, or not read for `staleAfterMs`. An old reading says nothing about now. */
const stateSchema = z.enum(['covered', 'uncovered', 'unknown']);

const token = {
  tokenSymbol: z.string(),
  tokenDecimals: z.int().min(0).max(18),
  /** Null for SOL. */
  tokenMint: z.string().nullable(),
};

const solvencySchema = z.object({
  status: successSchema,
  /** The server's time of this answer. */
  asOf: isoTimeSchema,
  staleAfterMs: z.int().positive(),
  /** The URL of an account with `{address}` as placeholder; null where there is no explorer. */
  explorerAccountUrl: z.string().nullable(),
  lobbies: z.array(
    z.object({
      lobbyId: rowIdSchema,
      name: z.string(),
      ...token,
      state: stateSchema,
      /** The account that holds the pool; null before the first reading. */
      account: walletAddressSchema.nullable(),
      /** The newest there is, however old. */
      reading: readingSchema.nullable(),
    }),
  ),
  /** One per currency, over the lobbies whose reading is not stale. A surplus in one lobby pays nobody in another. */
  totals: z.array(
    z.object({
      ...token,
      state: stateSchema,
      ...amounts,
      missing: baseUnitsSchema,
      lobbies: countSchema,
      staleLobbies: countSchema,
    }),
  ),
});

export const readSolvency = {
  method: 'GET',
  path: '/api/solvency',
  answer: solvencySchema,
  limit: perMinute(120),
} as const satisfies HttpCall;

const historyRowSchema = z.object({
  readAt: isoTimeSchema,
  slot: baseUnitsSchema,
  ...amounts,
  people: countSchema,
  isCovered: z.boolean(),
});

/** One row per hour and one for every change between covered and uncovered: up to a week, newest first. */
export const readSolvencyHistory = {
  method: 'GET',
  path: '/api/solvency/history',
  query: z.strictObject({
    lobbyId: rowIdSchema,
    /** Rows before this UTC day; the time of day does not count. */
    before: isoTimeSchema.optional(),
  }),
  answer: z.object({
    status: successSchema,
    rows: z.array(historyRowSchema),
    /** Ask with it for the week before; null when there is nothing older. */
    nextBefore: isoTimeSchema.nullable(),
  }),
  limit: perMinute(60),
} as const satisfies HttpCall;

export type Solvency = z.infer<typeof solvencySchema>;
export type SolvencyLobby = Solvency['lobbies'][number];
export type SolvencyHistoryRow = z.infer<typeof historyRowSchema>;

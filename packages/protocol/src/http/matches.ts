import { z } from 'zod';
import {
  baseUnitsSchema,
  countSchema,
  isoTimeSchema,
  rowIdSchema,
  sha256Schema,
  transactionSignatureSchema,
  walletAddressSchema,
} from '../wire-values.ts';
import { type HttpCall, pageQuerySchema, pageSchema, perMinute, successSchema } from './call.ts';

/*
 * Matches for everybody who wants to check them. Nobody has to be signed in. What would help a player while a match runs
 * is not shown: of its secrets, its recording and its entries, only what is older than ten minutes.
 */

const matchSummarySchema = z.object({
  id: rowIdSchema,
  lobbyId: rowIdSchema,
  /** Preparing: committed, and waiting for its block. */
  state: z.enum(['preparing', 'running', 'ended']),
  committedAt: isoTimeSchema,
  startedAt: isoTimeSchema.nullable(),
  endedAt: isoTimeSchema.nullable(),
  /** SHA-256 of the secret of the first epoch. */
  commitment: sha256Schema,
  /** The transaction that published the commitment, where money is at stake; its slot decides the next one. */
  anchor: transactionSignatureSchema.nullable().default(null),
  /** The match depends on the first block from this slot on. Null if no node could name one. */
  targetSlot: baseUnitsSchema.nullable(),
  /** That block; null before it is final, and for a free match that went on without one. */
  block: z.object({ slot: baseUnitsSchema, blockhash: z.string().min(32).max(44) }).nullable(),
  /** Of the last epoch, from which those of all others follow. Null until the match has ended. */
  secret: sha256Schema.nullable(),
  finalTick: countSchema.nullable(),
  /** Of the whole recording. Null until the end, and if nobody has played. */
  finalHash: sha256Schema.nullable(),
  /** True if the recording ends where the server died. */
  isCut: z.boolean().nullable(),
  recordingBytes: countSchema.nullable(),
});

/** What can be checked of a match that runs. */
const publishedSchema = z.object({
  /** Where the recording that is public ends, its size, and its hash up to there. */
  tick: countSchema,
  recordingBytes: countSchema,
  hash: sha256Schema,
  /** Of the epoch that ends there. */
  secret: sha256Schema,
});

const matchEntrySchema = z.object({
  id: rowIdSchema,
  /** Whose entry it was, by the name and the chosen colour of today; the recording has neither. */
  player: z.object({ id: rowIdSchema, name: z.string(), colour: z.int().nonnegative().optional() }),
  stake: baseUnitsSchema,
  /** The transaction that paid for it, and from which wallet; null in a free lobby. */
  payment: z.object({ wallet: walletAddressSchema, signature: transactionSignatureSchema }).nullable(),
  /** Null while it is being settled, and for ten minutes after that if the match runs. */
  outcome: z.enum(['cashout', 'killed', 'forfeit', 'closed', 'fault', 'unclaimed']).nullable(),
  amount: baseUnitsSchema.nullable(),
  payout: z
    .object({
      wallet: walletAddressSchema,
      amount: baseUnitsSchema,
      status: z.enum(['pending', 'processing', 'completed']),
      /** Null until the payout is on the chain. */
      signature: transactionSignatureSchema.nullable(),
    })
    .nullable(),
});

const matchSchema = matchSummarySchema.extend({
  isFree: z.boolean(),
  lobbyName: z.string(),
  /** Null for a free lobby, which is not on the chain. */
  chainLobbyId: baseUnitsSchema.nullable(),
  tokenSymbol: z.string(),
  tokenDecimals: countSchema,
  /** Null for SOL and in a free lobby. */
  tokenMint: walletAddressSchema.nullable(),
  /** JSON, as in the header of the recording. */
  rules: z.string(),
  /** What the match left to the next one of its lobby. */
  spillAfter: baseUnitsSchema.nullable(),
  /** Null once the match has ended, and while nothing of it is old enough. */
  published: publishedSchema.nullable().default(null),
  /** Of all pages. While the match runs: of those that began ten minutes ago or earlier. */
  entryCount: countSchema,
  /** One page of them, in the order in which they began. */
  entries: z.array(matchEntrySchema),
});

/** A match of a day has tens of thousands of entries. */
export const ENTRIES_PER_PAGE = 500;

const matchParams = z.strictObject({ id: z.uuid() });

export const listMatches = {
  method: 'GET',
  path: '/api/matches',
  query: pageQuerySchema.extend({ lobbyId: z.uuid().optional() }),
  answer: pageSchema(matchSummarySchema),
  limit: perMinute(60),
} as const satisfies HttpCall;

export const readMatch = {
  method: 'GET',
  path: '/api/matches/:id',
  params: matchParams,
  /** Which entries to show. */
  query: pageQuerySchema,
  answer: z.object({ status: successSchema, data: matchSchema }),
  limit: perMinute(60),
} as const satisfies HttpCall;

/** The same answer with all entries in one compressed file. */
export const FACTS_PATH = '/api/matches/:id/facts';
export const FACTS_LIMIT = perMinute(10);

/** The recording, as bytes; of a match that runs what is public of it. */
export const RECORDING_PATH = '/api/matches/:id/recording';
export const RECORDING_LIMIT = perMinute(20);
export const recordingParamsSchema = matchParams;

export type MatchSummary = z.infer<typeof matchSummarySchema>;
export type PublicMatch = z.infer<typeof matchSchema>;
export type MatchEntry = z.infer<typeof matchEntrySchema>;

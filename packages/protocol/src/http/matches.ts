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
 * (the secret, the recording, the entries) is shown only after its end.
 */

const matchSummarySchema = z.object({
  id: rowIdSchema,
  lobbyId: rowIdSchema,
  /** Preparing: committed, and waiting for its block. */
  state: z.enum(['preparing', 'running', 'ended']),
  committedAt: isoTimeSchema,
  startedAt: isoTimeSchema.nullable(),
  endedAt: isoTimeSchema.nullable(),
  /** SHA-256 of the secret. */
  commitment: sha256Schema,
  /** The match depends on the first block from this slot on. Null if no node could name one. */
  targetSlot: baseUnitsSchema.nullable(),
  /** That block; null before it is final, and for a free match that went on without one. */
  block: z.object({ slot: baseUnitsSchema, blockhash: z.string().min(32).max(44) }).nullable(),
  /** Null until the match has ended. */
  secret: sha256Schema.nullable(),
  finalTick: countSchema.nullable(),
  /** Of the whole recording. Null until the end, and if nobody has played. */
  finalHash: sha256Schema.nullable(),
  /** True if the recording ends where the server died. */
  isCut: z.boolean().nullable(),
  recordingBytes: countSchema.nullable(),
});

const matchEntrySchema = z.object({
  id: rowIdSchema,
  /** Whose entry it was, by the name of today. */
  player: z.object({ id: rowIdSchema, name: z.string() }),
  stake: baseUnitsSchema,
  /** The transaction that paid for it, and from which wallet; null in a free lobby. */
  payment: z.object({ wallet: walletAddressSchema, signature: transactionSignatureSchema }).nullable(),
  /** Null while it is being settled. */
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
  /** Of all pages. 0 until the match has ended. */
  entryCount: countSchema,
  /** One page of them, in the order in which they began. Empty until the match has ended. */
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

/** The recording of an ended match, as bytes. */
export const RECORDING_PATH = '/api/matches/:id/recording';
export const RECORDING_LIMIT = perMinute(20);
export const recordingParamsSchema = matchParams;

export type MatchSummary = z.infer<typeof matchSummarySchema>;
export type PublicMatch = z.infer<typeof matchSchema>;
export type MatchEntry = z.infer<typeof matchEntrySchema>;

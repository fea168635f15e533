import { isTokenProgram } from '@engulf/chain/accounts/pdas';
import {
  type ClaimDescription,
  MAX_COMPUTE_UNITS,
  MAX_PLAYERS_PER_BATCH,
  MAX_PROOFS,
} from '@engulf/chain/payouts/claim-message';
import { MAX_U64 } from '@engulf/domain/money/u64';
import {
  type Address,
  type Base64EncodedWireTransaction,
  type Blockhash,
  isAddress,
  isBlockhash,
  isSignature,
  type Signature,
} from '@solana/kit';
import { z } from 'zod';

/*
 * The signer holds the key. It signs nothing but claims, which it builds itself from a description. The same description
 * always gets the same answer, so it is safe to ask again after a crash between signing and answering.
 */

export type Signer = {
  /** Whose claims it can sign. Throws if there is no answer. */
  keys(): Promise<SignerKeys>;
  /** Throws if there is no answer; the batch may or may not have been signed then. */
  sign(batch: Batch): Promise<SignerAnswer>;
};

const u64 = z.codec(z.string().regex(/^(?:0|[1-9]\d{0,19})$/), z.bigint().max(MAX_U64), {
  decode: (text) => BigInt(text),
  encode: (value) => value.toString(),
});
const key = z.custom<Address>((value) => typeof value === 'string' && isAddress(value));

export const keysSchema = z.strictObject({ superAdmin: key.optional(), payoutKey: key.optional() });
export type SignerKeys = z.output<typeof keysSchema>;

const rewardSchema = z.strictObject({
  payoutId: z.uuid(),
  player: key,
  amount: u64.refine((amount) => amount > 0n),
  /** In batches from before: no token account is created any more. */
  createsTokenAccount: z.boolean().optional(),
  /** A person allowed it in spite of the limits. */
  isReleased: z.boolean(),
});

/** A claim and the payouts that it makes, as the signer gets it. Amounts are decimal texts on the wire. */
export const batchSchema = z.strictObject({
  programId: key,
  superAdmin: key,
  /** Signs instead of the super admin. The chain limits what it can pay. */
  payoutKey: key.optional(),
  lobbyId: u64,
  /** Which claim of the lobby it is. The chain pays one per number. Missing for a lobby without a counter. */
  number: u64.optional(),
  token: z.strictObject({ mint: key, program: key.refine(isTokenProgram) }).optional(),
  rewards: z
    .array(rewardSchema)
    .min(1)
    .max(MAX_PLAYERS_PER_BATCH)
    .refine((rewards) => new Set(rewards.map(({ player }) => player)).size === rewards.length),
  batchId: z.uuid(),
  /** Hashes of matches, for the memo. Nothing else gets into it. */
  proofs: z
    .array(z.string().regex(/^(?:[\w-]{43}(?::[\w-]{43})?|refund:[1-9A-Za-z]{12}(?:,[1-9A-Za-z]{12}){0,3})$/))
    .max(MAX_PROOFS),
  lifetime: z.strictObject({
    blockhash: z.custom<Blockhash>((value) => typeof value === 'string' && isBlockhash(value)),
    lastValidBlockHeight: u64,
  }),
  computeUnits: z.int().min(1).max(MAX_COMPUTE_UNITS),
  computePriceMicroLamports: u64,
});

export type Batch = z.output<typeof batchSchema>;
export type BatchReward = z.output<typeof rewardSchema>;

/** What is optional is undefined in a description and missing on the wire. */
export function describedBy({ payoutKey, number, token, ...rest }: Batch): ClaimDescription {
  return { ...rest, payoutKey, number, token };
}

const excessSchema = z.strictObject({
  payoutId: z.uuid(),
  /** The smallest limit that it would exceed. */
  limit: z.enum(['payout', 'lobby-hour', 'hour', 'day']),
});
export type Excess = z.output<typeof excessSchema>;

/** The batch was not signed and never will be. */
export const refusalSchema = z.discriminatedUnion('reason', [
  z.strictObject({
    kind: z.literal('refused'),
    reason: z.literal('over-limit'),
    excess: z.array(excessSchema).min(1),
  }),
  /** One of its payouts is in an earlier claim that may still land or has paid. */
  z.strictObject({ kind: z.literal('refused'), reason: z.literal('signed-before') }),
  z.strictObject({ kind: z.literal('refused'), reason: z.literal('fee-too-high') }),
  /** The token has no limits, so everything could be signed. */
  z.strictObject({ kind: z.literal('refused'), reason: z.literal('token-not-listed') }),
  /** Claims of the lobby were signed with a number before, so one without a number could pay the same again. */
  z.strictObject({ kind: z.literal('refused'), reason: z.literal('without-number') }),
]);
export type Refusal = z.output<typeof refusalSchema>;

export const answerSchema = z.union([
  z.strictObject({
    kind: z.literal('signed'),
    signature: z.custom<Signature>((value) => typeof value === 'string' && isSignature(value)),
    wire: z.custom<Base64EncodedWireTransaction>((value) => typeof value === 'string'),
  }),
  refusalSchema,
]);
export type SignerAnswer = z.output<typeof answerSchema>;

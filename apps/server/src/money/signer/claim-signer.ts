import { createHash } from 'node:crypto';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildClaimMessage, claimantOf } from '@engulf/chain/payouts/claim-message';
import { priorityFeeLamports } from '@engulf/chain/payouts/compute-budget';
import type { Address, TransactionSigner } from '@solana/kit';
import { z } from 'zod';
import { countedMint, findExcess, limitsOf, type PayoutLimits } from './limits.ts';
import {
  type Batch,
  type BatchReward,
  batchSchema,
  describedBy,
  type Refusal,
  type Signer,
  type SignerAnswer,
} from './signer.ts';
import type { LogAccess, LogEntry, SignerLog } from './signer-log.ts';

export type ClaimSignerDeps = {
  /** One of them at least. */
  readonly keys: {
    readonly superAdmin?: TransactionSigner | undefined;
    readonly payoutKey?: TransactionSigner | undefined;
  };
  readonly programId: Address;
  readonly limits: PayoutLimits;
  readonly maxPriorityFeeLamports: bigint;
  readonly log: SignerLog;
  /** How often a person allowed this payout in spite of the limits. Each time lets it be signed once. */
  releasesOf(reward: BatchReward): number;
  nowMs(): number;
};

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
/** Whoever asks for more has broken into the worker, and would fill the disk. */
const MAX_REFUSALS_PER_HOUR = 1_000;

/** Signs claims within the limits. It builds each transaction itself, so it cannot be made to sign anything else. */
export function createClaimSigner(deps: ClaimSignerDeps): Signer {
  const { superAdmin, payoutKey } = deps.keys;
  return {
    keys: async () => ({
      ...(superAdmin && { superAdmin: superAdmin.address }),
      ...(payoutKey && { payoutKey: payoutKey.address }),
    }),
    sign: async (batch): Promise<SignerAnswer> => {
      const mistake = mistakeIn(deps, batch);
      if (mistake !== undefined) throw new Error(`The batch ${batch.batchId} cannot be signed: ${mistake}`);
      const refusal = await deps.log.exclusively((log) => decide(deps, log, batch));
      if (refusal) return refusal;
      const message = await buildClaimMessage(describedBy(batch), keyFor(deps, batch));
      const { signature, wire } = await signForSending(message);
      return { kind: 'signed', signature, wire };
    },
  };
}

const keyFor = ({ keys }: ClaimSignerDeps, { payoutKey }: Batch): TransactionSigner | undefined =>
  payoutKey === undefined ? keys.superAdmin : keys.payoutKey;

/** A configuration error or a bug. Thrown, because a refusal would mean that the batch was never signed. */
function mistakeIn(deps: ClaimSignerDeps, batch: Batch): string | undefined {
  const { programId } = deps;
  if (!z.safeEncode(batchSchema, batch).success) return 'the description is not valid';
  if (batch.programId !== programId) return `it is for another program than ${programId}`;
  // It may have been signed as a claim that does, so it must not be signed as another.
  if (batch.rewards.some(({ createsTokenAccount }) => createsTokenAccount))
    return 'it creates token accounts';
  if (batch.payoutKey !== undefined && batch.number === undefined) return 'a payout key claims in order only';
  const key = keyFor(deps, batch)?.address;
  if (claimantOf(batch) !== key) return `the key is that of ${key ?? 'nobody'}`;
  return undefined;
}

/** The first answer for a batch is final. Undefined: it may be signed. */
async function decide(deps: ClaimSignerDeps, log: LogAccess, batch: Batch): Promise<Refusal | undefined> {
  const descriptionHash = hashOf(batch);
  const known = await log.find(batch.batchId);
  if (known && known.descriptionHash !== descriptionHash) {
    throw new Error(`The batch ${batch.batchId} had another description before`);
  }
  if (known) return known.refusal ?? undefined;
  const released = batch.rewards.filter((reward) => deps.releasesOf(reward) > 0);
  const limited = batch.rewards.filter((reward) => !released.includes(reward));
  const entry = {
    batchId: batch.batchId,
    descriptionHash,
    lobbyId: batch.lobbyId,
    number: batch.number ?? null,
    mint: countedMint(batch.token?.mint),
    amount: limited.reduce((sum, { amount }) => sum + amount, 0n),
    payoutIds: batch.rewards.map(({ payoutId }) => payoutId),
    releasedIds: released.map(({ payoutId }) => payoutId),
    lastValidBlockHeight: batch.lifetime.lastValidBlockHeight,
    at: new Date(deps.nowMs()),
  };
  const refusal =
    feeRefusal(deps, batch) ??
    (await repetitionOf(deps, log, entry, released)) ??
    (await excessOf(deps, log, entry, limited));
  if (refusal && (await log.countRefusals(new Date(entry.at.getTime() - HOUR_MS))) >= MAX_REFUSALS_PER_HOUR)
    throw new Error('Too much was refused within the hour');
  await log.add({ ...entry, refusal: refusal ?? null });
  return refusal;
}

function feeRefusal({ maxPriorityFeeLamports }: ClaimSignerDeps, batch: Batch): Refusal | undefined {
  const feeLamports = priorityFeeLamports(batch.computeUnits, batch.computePriceMicroLamports);
  return feeLamports > maxPriorityFeeLamports ? { kind: 'refused', reason: 'fee-too-high' } : undefined;
}

async function repetitionOf(
  { releasesOf }: ClaimSignerDeps,
  log: LogAccess,
  entry: Omit<LogEntry, 'refusal'>,
  released: readonly BatchReward[],
): Promise<Refusal | undefined> {
  if (entry.number === null && (await log.hasOrdered(entry.lobbyId)))
    return { kind: 'refused', reason: 'without-number' };
  if (await log.hasSigned(entry)) return { kind: 'refused', reason: 'signed-before' };
  for (const reward of released) {
    const times = await log.timesSigned(reward.payoutId, entry);
    if (times >= releasesOf(reward)) return { kind: 'refused', reason: 'signed-before' };
  }
  return undefined;
}

async function excessOf(
  { limits }: ClaimSignerDeps,
  log: LogAccess,
  entry: Omit<LogEntry, 'refusal'>,
  limited: readonly BatchReward[],
): Promise<Refusal | undefined> {
  const ofToken = limitsOf(limits, entry.mint);
  if (!ofToken) return { kind: 'refused', reason: 'token-not-listed' };
  const spentWithin = (ms: number) => log.spentSince(new Date(entry.at.getTime() - ms), entry);
  const spent = { hour: await spentWithin(HOUR_MS), day: await spentWithin(DAY_MS) };
  const excess = findExcess(ofToken, spent, limited);
  return excess.length > 0 ? { kind: 'refused', reason: 'over-limit', excess } : undefined;
}

function hashOf(batch: Batch): string {
  // Encoding orders the fields as the schema does, whoever wrote the description.
  return createHash('sha256')
    .update(JSON.stringify(z.encode(batchSchema, batch)))
    .digest('hex');
}

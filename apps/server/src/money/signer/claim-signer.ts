import { createHash } from 'node:crypto';
import { signForSending } from '@engulf/chain/node/signed-transaction';
import { buildClaimMessage } from '@engulf/chain/payouts/claim-message';
import { priorityFeeLamports } from '@engulf/chain/payouts/compute-budget';
import type { Address, TransactionSigner } from '@solana/kit';
import type { Logger } from 'pino';
import { z } from 'zod';
import { findExcess, limitsOf, type PayoutLimits } from './limits.ts';
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
  readonly key: TransactionSigner;
  readonly programId: Address;
  readonly limits: PayoutLimits;
  readonly maxPriorityFeeLamports: bigint;
  readonly log: SignerLog;
  /** Whether a person allowed this payout in spite of the limits. */
  isReleased(reward: BatchReward): boolean;
  readonly logger: Logger;
  nowMs(): number;
};

const HOUR_MS = 3_600_000;

/** Signs claims within the limits. It builds each transaction itself, so it cannot be made to sign anything else. */
export function createClaimSigner(deps: ClaimSignerDeps): Signer {
  const warnOfUnlimited = warnOnce(deps.logger);
  return {
    sign: async (batch): Promise<SignerAnswer> => {
      const mistake = mistakeIn(deps, batch);
      if (mistake !== undefined) throw new Error(`The batch ${batch.batchId} cannot be signed: ${mistake}`);
      if (!limitsOf(deps.limits, batch.token?.mint)) warnOfUnlimited(batch.token!.mint);
      const refusal = await deps.log.exclusively((log) => decide(deps, log, batch));
      if (refusal) return refusal;
      const { signature, wire } = await signForSending(await buildClaimMessage(describedBy(batch), deps.key));
      return { kind: 'signed', signature, wire };
    },
  };
}

/** A configuration error or a bug. Thrown, because a refusal would mean that the batch was never signed. */
function mistakeIn({ key, programId }: ClaimSignerDeps, batch: Batch): string | undefined {
  if (!z.safeEncode(batchSchema, batch).success) return 'the description is not valid';
  if (batch.programId !== programId) return `it is for another program than ${programId}`;
  if (batch.superAdmin !== key.address) return `the key is that of ${key.address}`;
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
  const limited = batch.rewards.filter((reward) => !deps.isReleased(reward));
  const entry = {
    batchId: batch.batchId,
    descriptionHash,
    lobbyId: batch.lobbyId,
    number: batch.number ?? null,
    mint: batch.token?.mint ?? null,
    amount: limited.reduce((sum, { amount }) => sum + amount, 0n),
    payoutIds: batch.rewards.map(({ payoutId }) => payoutId),
    lastValidBlockHeight: batch.lifetime.lastValidBlockHeight,
    at: new Date(deps.nowMs()),
  };
  const refusal = feeRefusal(deps, batch) ?? (await refusalOf(deps, log, entry, limited));
  await log.add({ ...entry, refusal: refusal ?? null });
  return refusal;
}

function feeRefusal({ maxPriorityFeeLamports }: ClaimSignerDeps, batch: Batch): Refusal | undefined {
  const feeLamports = priorityFeeLamports(batch.computeUnits, batch.computePriceMicroLamports);
  return feeLamports > maxPriorityFeeLamports ? { kind: 'refused', reason: 'fee-too-high' } : undefined;
}

async function refusalOf(
  { limits }: ClaimSignerDeps,
  log: LogAccess,
  entry: Omit<LogEntry, 'refusal'>,
  limited: readonly BatchReward[],
): Promise<Refusal | undefined> {
  if (entry.number === null && (await log.hasOrdered(entry.lobbyId)))
    return { kind: 'refused', reason: 'without-number' };
  if (await log.hasSigned(entry)) return { kind: 'refused', reason: 'signed-before' };
  const ofToken = limitsOf(limits, entry.mint ?? undefined);
  if (!ofToken) return undefined;
  const spent = await log.spentSince(new Date(entry.at.getTime() - HOUR_MS), entry);
  const excess = findExcess(ofToken, spent, limited);
  return excess.length > 0 ? { kind: 'refused', reason: 'over-limit', excess } : undefined;
}

function hashOf(batch: Batch): string {
  // Encoding orders the fields as the schema does, whoever wrote the description.
  return createHash('sha256')
    .update(JSON.stringify(z.encode(batchSchema, batch)))
    .digest('hex');
}

function warnOnce(logger: Logger): (mint: Address) => void {
  const warned = new Set<Address>();
  return (mint) => {
    if (warned.has(mint)) return;
    warned.add(mint);
    logger.warn({ code: 'PAYOUT_UNLIMITED', mint }, 'payouts of this token have no limit');
  };
}

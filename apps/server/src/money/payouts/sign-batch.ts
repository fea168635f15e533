import { randomUUID } from 'node:crypto';
import { type Lobby, readLobby } from '@engulf/chain/accounts/read-configs';
import { buildClaimBatch } from '@engulf/chain/payouts/claim-batch';
import { bidForBlock, readRecentPrice, simulateClaim } from '@engulf/chain/payouts/compute-budget';
import { type LobbyId, type TransactionSignature, transactionSignature } from '@engulf/domain/ids/entity-ids';
import { address, createNoopSigner } from '@solana/kit';
import { and, asc, desc, eq, inArray, isNull, lte, notInArray, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import {
  type BatchRow,
  grantedTokenAccounts,
  type PayoutRow,
  payoutBatches,
  payouts,
} from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { type Batch, batchSchema, type Refusal, type Signer } from '../signer/signer.ts';
import { entriesIn } from './batched-entries.ts';
import { chooseProven } from './match-proofs.ts';
import {
  dropBatch,
  noteSignature,
  openBatch,
  postponePayouts,
  refusePayouts,
  stopPayouts,
} from './payout-states.ts';

/** More than one transaction can hold, so that it is filled even if some payouts cannot be made now. */
const CANDIDATES = 40;

/** Describes a claim for the payouts that are due and stores it, unsigned. Undefined if there is nothing to pay. */
export async function prepareBatch(
  context: Context,
  lobby: PaidLobby,
  maxFeeLamports: bigint,
): Promise<BatchRow | undefined> {
  const { db } = context;
  const due = await duePayouts(context, lobby.id);
  if (due.length === 0) return undefined;
  const batchId = randomUUID();
  const { proofs, proven } = await chooseProven(context, due);
  const claim = await findWorkingClaim(context, lobby, { batchId, proofs }, proven);
  if (!claim) return undefined;
  const { computeUnits, description, paid } = claim;
  const computePriceMicroLamports = bidForBlock({
    computeUnits,
    recentPrice: await recentPrice(context, claim.onChain),
    expiries: await countExpiries(db, lobby.id),
    maxFeeLamports,
  });
  const rewards = description.rewards.map((reward, index) => ({
    ...reward,
    payoutId: paid[index]!.id,
    isReleased: paid[index]!.releasedAt !== null,
  }));
  const batch: Batch = { ...description, proofs, rewards, computeUnits, computePriceMicroLamports };
  const mint = lobby.tokenMint;
  return openBatch(context, paid, {
    id: batchId,
    lobbyId: lobby.id,
    description: z.encode(batchSchema, batch),
    lastValidBlockHeight: batch.lifetime.lastValidBlockHeight,
    signedAtSlot: claim.builtAtSlot,
    createdAt: new Date(context.nowMs()),
    createsAccountsFor: mint
      ? paid.filter((_, index) => rewards[index]!.createsTokenAccount).map(({ wallet }) => ({ wallet, mint }))
      : [],
  });
}

/** A batch that the signer has signed. */
export type SignedBatch = BatchRow & { readonly signature: TransactionSignature; readonly wire: string };

/**
 * Has a stored batch signed, unless it already is. The signer always gives the same batch the same signature, so after a
 * crash it is asked again and that signature is looked up; no other claim is signed. Undefined if the signer refused or
 * did not answer.
 */
export async function getSigned(
  context: Context,
  batch: BatchRow,
  signer: Signer,
): Promise<SignedBatch | undefined> {
  const { db, logger } = context;
  const { id: batchId, lobbyId, signature, wire } = batch;
  if (signature !== null && wire !== null) return { ...batch, signature, wire };
  const askedAtMs = context.nowMs();
  try {
    const answer = await signer.sign(batchSchema.parse(batch.description));
    if (answer.kind === 'refused') {
      await dropBatch(context, batch, answer);
      reportRefusal(context, batch, answer);
      return undefined;
    }
    const signed = { signature: transactionSignature(answer.signature), wire: answer.wire };
    await noteSignature(db, batch, signed);
    await traceSigned(context, batch, signed.signature, askedAtMs);
    return { ...batch, ...signed };
  } catch (error) {
    logger.error(
      { code: 'SIGNER_UNAVAILABLE', err: error, batchId, lobbyId },
      'a batch could not be signed and stays open',
    );
    return undefined;
  }
}

async function traceSigned(
  { db, traces }: Context,
  { id: batchId }: BatchRow,
  signature: TransactionSignature,
  askedAtMs: number,
): Promise<void> {
  if (!traces) return;
  for (const { entryId } of await entriesIn(db, batchId)) {
    traces.step(entryId, 'sign payout', askedAtMs, { batchId, signature });
  }
}

function reportRefusal({ logger }: Context, { id: batchId, lobbyId }: BatchRow, refusal: Refusal): void {
  if (refusal.reason !== 'over-limit') {
    logger.error({ code: 'SIGNER_REFUSED', batchId, lobbyId, refusal }, 'the signer refused a batch');
    return;
  }
  const held = refusal.excess.filter(({ limit }) => limit === 'payout').map(({ payoutId }) => payoutId);
  const late = refusal.excess.filter(({ limit }) => limit !== 'payout');
  if (held.length > 0) {
    logger.error(
      { code: 'PAYOUT_HELD', payoutIds: held, lobbyId },
      'payouts are over the limit and wait for a person',
    );
  }
  if (late.length > 0) {
    logger.error(
      { code: 'PAYOUT_LIMIT_REACHED', late, lobbyId },
      'a limit per hour is reached, so payouts wait',
    );
  }
}

/** Makes a batch unique on the chain. */
type BatchMark = { readonly batchId: string; readonly proofs: readonly string[] };

type WorkingClaim = Extract<Awaited<ReturnType<typeof tryClaim>>, { kind: 'works' }>;

/**
 * Builds a claim that the chain would accept now. Nodes drop what the chain would refuse, so one bad payout would let
 * its batch expire again and again; the simulation finds it before anything is signed.
 */
async function findWorkingClaim(
  context: Context,
  lobby: PaidLobby,
  mark: BatchMark,
  due: readonly PayoutRow[],
): Promise<WorkingClaim | undefined> {
  const whole = await tryClaim(context, lobby, mark, due);
  if (whole?.kind !== 'fails') return whole;
  if (whole.isPayerShort) {
    context.logger.error(
      { code: 'SIGNER_FUNDS_LOW', lobbyId: lobby.id, reason: whole.reason },
      'the super admin cannot pay for a claim, so payouts wait',
    );
    const { rewards } = whole.description;
    const costly = idsOf(whole.paid.filter((_, index) => rewards[index]!.createsTokenAccount));
    if (costly.length === 0) {
      await stopPayouts(context, lobby.id);
      return undefined;
    }
    await postponePayouts(context, costly);
    // The others cost the fee only.
    const others = due.filter(({ id }) => !costly.includes(id));
    return findWorkingClaim(context, lobby, mark, others);
  }
  const good: PayoutRow[] = [];
  for (const payout of whole.paid) {
    const alone = await tryClaim(context, lobby, mark, [payout]);
    if (alone?.kind === 'works') good.push(payout);
    else await refusePayouts(context, [payout], alone?.reason ?? whole.reason);
  }
  if (good.length === 0) return undefined;
  // Each works alone, so the sum is the problem.
  const rest = good.length === whole.paid.length ? good.slice(0, 1) : good;
  const claim = await tryClaim(context, lobby, mark, rest);
  return claim?.kind === 'works' ? claim : undefined;
}

async function tryClaim(context: Context, lobby: PaidLobby, mark: BatchMark, due: readonly PayoutRow[]) {
  const { chain, db, logger } = context;
  const onChain = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId);
  if (!onChain) throw new Error(`The lobby ${lobby.id} owes payouts and is not on the chain`);
  const granted = await readGranted(db, lobby, due);
  const { message, description, paid, unpayable, builtAtSlot } = await buildClaimBatch({
    rpc: chain.rpc,
    programId: chain.programId,
    lobby: onChain,
    superAdmin: createNoopSigner((await chain.readPlatform()).superAdmin),
    rewards: due.map((payout) => ({
      ...payout,
      player: address(payout.wallet),
      // A refunded player had a token account when paying, and so had a winner for whom we created one. Creating it
      // again would let them farm its rent by closing it.
      needsTokenAccount: payout.isRefund || granted.has(payout.wallet),
    })),
    ...mark,
  });
  if (unpayable.length > 0) {
    const payoutIds = idsOf(unpayable);
    logger.warn({ code: 'PAYOUTS_POSTPONED', payoutIds }, 'wallets cannot receive their payouts now');
    await postponePayouts(context, payoutIds);
  }
  if (!message) return undefined;
  return { ...(await simulateClaim(chain.rpc, message)), description, paid, onChain, builtAtSlot };
}

function idsOf(rows: readonly PayoutRow[]): string[] {
  return rows.map(({ id }) => id);
}

/** The wallets that have had an account of the lobby's token from us. */
async function readGranted(
  db: Database,
  { tokenMint }: PaidLobby,
  due: readonly PayoutRow[],
): Promise<ReadonlySet<string>> {
  if (tokenMint === null) return new Set();
  const wallets = due.map(({ wallet }) => wallet);
  const rows = await db
    .select({ wallet: grantedTokenAccounts.wallet })
    .from(grantedTokenAccounts)
    .where(and(eq(grantedTokenAccounts.mint, tokenMint), inArray(grantedTokenAccounts.wallet, wallets)));
  return new Set(rows.map(({ wallet }) => wallet));
}

const MAX_COUNTED_EXPIRIES = 10;

/** How many of a lobby's newest claims in a row did not make it into a block. */
async function countExpiries(db: Database, lobbyId: LobbyId): Promise<number> {
  const newest = await db
    .select({ status: payoutBatches.status })
    .from(payoutBatches)
    .where(and(eq(payoutBatches.lobbyId, lobbyId), notInArray(payoutBatches.status, ['open', 'refused'])))
    .orderBy(desc(payoutBatches.createdAt))
    .limit(MAX_COUNTED_EXPIRIES);
  const landed = newest.findIndex(({ status }) => status !== 'expired');
  return landed === -1 ? newest.length : landed;
}

/** A node that cannot tell must not hold up payouts: then the least price is bid, and more after an expiry. */
async function recentPrice({ chain, logger }: Context, lobby: Lobby): Promise<bigint> {
  const accounts = [lobby.address, ...(lobby.isSolLobby ? [] : [lobby.rewardPoolTokenAccount])];
  try {
    return await readRecentPrice(chain.rpc, accounts);
  } catch (error) {
    logger.info({ err: error }, 'the node does not tell recent priority fees');
    return 0n;
  }
}

/**
 * A payout whose batch was refused is retried alone, so that no player can hold up the others for long. It has its turn when
 * it has waited longest: somebody wins all the time in a busy lobby.
 */
async function duePayouts({ db, nowMs }: Context, lobbyId: LobbyId): Promise<PayoutRow[]> {
  const due = await db
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.lobbyId, lobbyId),
        eq(payouts.status, 'pending'),
        isNull(payouts.heldAt),
        or(isNull(payouts.notBefore), lte(payouts.notBefore, new Date(nowMs()))),
      ),
    )
    .orderBy(sql`coalesce(${payouts.notBefore}, ${payouts.createdAt})`, asc(payouts.id))
    .limit(CANDIDATES);
  const isTried = ({ failedAttempts }: PayoutRow) => failedAttempts > 0;
  return due[0] && isTried(due[0]) ? due.slice(0, 1) : due.filter((payout) => !isTried(payout));
}

import type { TransactionFate } from '@engulf/chain/node/await-finality';
import { isAlreadyProcessed, isPreflightRefusal } from '@engulf/chain/node/node-errors';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Base64EncodedWireTransaction } from '@solana/kit';
import { and, eq, isNull, lte, or } from 'drizzle-orm';
import { findLobby, isPaid, type PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, payoutBatches, payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import type { Signer } from '../signer/signer.ts';
import { findFate } from './batch-fate.ts';
import { entriesIn } from './batched-entries.ts';
import { chooseBatch } from './choose-batch.ts';
import { findNextNumber, findOrderedFate, isInOrder } from './claim-order.ts';
import {
  closeBatch,
  delayPayouts,
  noteRefusal,
  openBatch,
  postponePayouts,
  refusePayout,
  stopPayouts,
} from './payout-states.ts';
import { type BookPayments, isAnyPoolSound, isPoolSound } from './pool-proof.ts';
import { askForKeys, getSigned, type SignedBatch } from './sign-batch.ts';
import type { SetAside } from './working-claim.ts';

export type PayoutDeps = {
  readonly signer: Signer;
  /** The most that a claim may bid for its place in a block. */
  readonly maxPriorityFeeLamports: bigint;
  send(wire: Base64EncodedWireTransaction): Promise<void>;
  readonly bookPayments: BookPayments;
  /** Called when the outcome of a batch is final, for metrics. */
  onDecided?(fate: string): void;
};

/** The lobbies that have something to pay or a claim in flight. */
export async function lobbiesThatOwe({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Promise<LobbyId[]> {
  const isDue = or(isNull(payouts.notBefore), lte(payouts.notBefore, new Date(nowMs())));
  const waiting = await db
    .selectDistinct({ lobbyId: payouts.lobbyId })
    .from(payouts)
    .where(and(eq(payouts.status, 'pending'), isNull(payouts.heldAt), isDue));
  const open = await db
    .select({ lobbyId: payoutBatches.lobbyId })
    .from(payoutBatches)
    .where(eq(payoutBatches.status, 'open'));
  return [...new Set([...waiting, ...open].map(({ lobbyId }) => lobbyId))];
}

/**
 * Takes a lobby's payouts one step further. A claim is stored before it is signed and sent, and as long as it may
 * still land it is the only one, or the only one of its number: it is sent again, no other is signed. Safe to repeat after
 * a crash at any line.
 */
export async function payLobby(context: Context, lobbyId: LobbyId, deps: PayoutDeps): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  if (!lobby || !isPaid(lobby)) return;
  const open = await findOpenBatch(context, lobbyId);
  const fate = open && (await resolve(context, lobby, open, deps));
  if (open && !fate) return;
  if ((await context.switches.read())['payouts-paused']) return;
  const turn = await findTurn(context, lobby, fate, deps);
  if (!turn) return;
  const keys = await askForKeys(context, lobbyId, deps.signer);
  if (!keys) return;
  const maxFeeLamports = deps.maxPriorityFeeLamports;
  const choice = await chooseBatch(context, lobby, { ...turn, keys, maxFeeLamports });
  if (!choice) return;
  await setAside(context, lobbyId, choice.aside);
  if (!choice.next) return;
  const stored = await openBatch(context, choice.next.paid, choice.next.batch);
  const signed = stored && (await getSigned(context, stored, deps.signer));
  if (signed) await trySending(context, signed, deps);
}

/** Whether something may be signed now, and by which number in a lobby that has them. */
async function findTurn(
  context: Context,
  lobby: PaidLobby,
  fate: TransactionFate | undefined,
  { bookPayments }: PayoutDeps,
): Promise<{ readonly number: bigint | undefined } | undefined> {
  if (!(await isInOrder(context, lobby))) {
    // That a claim did not pay is known by the pool, which was just equal to the books.
    const isProven = fate && fate.kind !== 'finalized';
    return isProven || (await isPoolSound(context, lobby, bookPayments)) ? { number: undefined } : undefined;
  }
  const number = await findNextNumber(context, lobby, bookPayments);
  if (number === undefined) return undefined;
  return (await isAnyPoolSound(context, lobby, bookPayments)) ? { number } : undefined;
}

async function setAside(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  lobbyId: LobbyId,
  { postponed, refused, tooLarge, isStopped }: SetAside,
): Promise<void> {
  if (postponed.size > 0) await postponePayouts(context, [...postponed]);
  for (const [payout, reason] of refused) await refusePayout(context, payout, reason);
  if (isStopped) await stopPayouts(context, lobbyId);
  if (tooLarge.length > 0) await delayPayouts(context, tooLarge);
}

export async function findOpenBatch(
  { db }: Pick<Context, 'db'>,
  lobbyId: LobbyId,
): Promise<BatchRow | undefined> {
  const [batch] = await db
    .select()
    .from(payoutBatches)
    .where(and(eq(payoutBatches.lobbyId, lobbyId), eq(payoutBatches.status, 'open')));
  return batch;
}

/** Books the outcome of the batch if it is final. If not, the batch is sent again: it may have been lost. */
async function resolve(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'traces' | 'nowMs'>,
  lobby: PaidLobby,
  open: BatchRow,
  deps: PayoutDeps,
): Promise<TransactionFate | undefined> {
  const signed = await getSigned(context, open, deps.signer);
  const fate = await lookUp(context, lobby, signed ?? open, deps.bookPayments);
  if (!fate) {
    warnIfUndecided(context, open);
    if (signed) await trySending(context, signed, deps);
    return undefined;
  }
  warnedAtMs.delete(open.id);
  const { id: batchId, lobbyId } = open;
  const batched = await entriesIn(context.db, batchId);
  await context.db.transaction((tx) => closeBatch(context, tx, open, fate));
  deps.onDecided?.(fate.kind);
  const signature = signed?.signature;
  for (const { entryId, owedSince } of batched) {
    const facts = { batchId, signature, fate: fate.kind };
    const isFailure = fate.kind !== 'finalized';
    context.traces?.step(entryId, 'pay out', owedSince.getTime(), facts, { isFailure });
  }
  const line = { batchId, lobbyId, entryIds: batched.map(({ entryId }) => entryId), signature, fate };
  if (fate.kind === 'finalized') context.logger.info(line, 'payout decided');
  else context.logger.warn({ code: 'PAYOUT_NOT_MADE', ...line }, 'payout decided');
  return fate;
}

/** A claim lands or expires within minutes. */
const UNDECIDED_AFTER_MS = 10 * 60_000;
const WARN_EVERY_MS = 5 * 60_000;
const warnedAtMs = new Map<string, number>();

function warnIfUndecided({ logger, nowMs }: Pick<Context, 'logger' | 'nowMs'>, batch: BatchRow): void {
  const ageMs = nowMs() - batch.createdAt.getTime();
  const isSaid = nowMs() - (warnedAtMs.get(batch.id) ?? 0) < WARN_EVERY_MS;
  if (ageMs < UNDECIDED_AFTER_MS || isSaid) return;
  warnedAtMs.set(batch.id, nowMs());
  const { id: batchId, lobbyId, number, signature } = batch;
  logger.error(
    { code: 'PAYOUT_UNDECIDED', batchId, lobbyId, number, signature, minutes: Math.floor(ageMs / 60_000) },
    'nobody can tell for long whether a batch was paid, so the payouts of its lobby wait',
  );
}

async function lookUp(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  batch: BatchRow,
  bookPayments: BookPayments,
): Promise<TransactionFate | undefined> {
  const { number } = batch;
  if (number !== null) return findOrderedFate(context, lobby, { ...batch, number }, bookPayments);
  return findFate(context, lobby, batch, bookPayments);
}

/**
 * Gives up a batch that nobody has signed, so that its payouts get into another: the signer is away or has a new key. False
 * if it may have been signed and may still land.
 */
export async function dropUnsigned(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  batch: BatchRow,
  { bookPayments, note }: Pick<PayoutDeps, 'bookPayments'> & { note(tx: Database): Promise<void> },
): Promise<boolean> {
  const fate = batch.signature === null ? await lookUp(context, lobby, batch, bookPayments) : undefined;
  if (!fate || fate.kind === 'finalized') return false;
  await context.db.transaction(async (tx) => {
    await closeBatch(context, tx, batch, fate);
    await note(tx);
  });
  return true;
}

/** An error says nothing about whether it arrived; the next look at the chain tells. */
async function trySending(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  batch: SignedBatch,
  { send }: PayoutDeps,
): Promise<void> {
  try {
    await send(batch.wire as Base64EncodedWireTransaction);
  } catch (error) {
    if (isAlreadyProcessed(error)) return;
    logger.info({ err: error, batchId: batch.id, signature: batch.signature }, 'sending a payout failed');
    if (isPreflightRefusal(error)) await noteRefusal(db, batch, String(error.cause));
  }
}

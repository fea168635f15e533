import type { TransactionFate } from '@engulf/chain/node/await-finality';
import type { LobbyId, TransactionSignature } from '@engulf/domain/ids/entity-ids';
import { and, eq, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, type PayoutRow, payoutBatches, payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { places, prepareOnce } from '../../platform/database/prepare-once.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../../platform/database/sql-state.ts';
import { payableOf, poolOf } from '../ledger/accounts.ts';
import { post } from '../ledger/post.ts';
import { batchSchema, type Refusal } from '../signer/signer.ts';

/*
 * The only writer of payouts and their batches: a payout is pending, then processing in one batch, then completed, or
 * pending again if the batch did not pay. While it is held, it gets into no batch. A lobby has at most one open batch.
 */

const RETRY_AFTER_MS = 5_000;
const MAX_RETRY_AFTER_MS = 300_000;
/** For what is not in the payout, for example a wallet whose balance would stay below the rent minimum. */
const UNPAYABLE_FOR_MS = 60_000;
/** How soon a payout is tried again that is above a limit. */
const LIMIT_REACHED_FOR_MS = 300_000;

/** Owes an amount to a wallet. The caller posts it to the payout's account in the same transaction. */
export async function queuePayout(
  tx: Database,
  payout: Pick<PayoutRow, 'id' | 'lobbyId' | 'userId' | 'wallet' | 'amount' | 'isRefund'> &
    Partial<Pick<PayoutRow, 'entryId' | 'paymentId' | 'notBefore'>>,
): Promise<void> {
  await queueing(tx).execute({
    entryId: null,
    paymentId: null,
    ...payout,
    notBefore: payout.notBefore?.toISOString() ?? null,
  });
}

const queueing = prepareOnce((db) =>
  db.insert(payouts).values({
    ...places('id', 'lobbyId', 'entryId', 'paymentId', 'userId', 'wallet', 'amount', 'isRefund'),
    notBefore: sql`${sql.placeholder('notBefore')}`,
    status: 'pending',
  }),
);

/** The wallets cannot receive these payouts now, which does not count as a failure: they are tried again together. */
export async function postponePayouts(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  ids: readonly string[],
): Promise<void> {
  await db
    .update(payouts)
    .set({ notBefore: new Date(nowMs() + UNPAYABLE_FOR_MS), waitsForWallet: true })
    .where(inArray(payouts.id, [...ids]));
}

/** These are above a limit, which only a person can raise. */
export async function delayPayouts(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  ids: readonly string[],
): Promise<void> {
  await db
    .update(payouts)
    .set({ notBefore: new Date(nowMs() + LIMIT_REACHED_FOR_MS) })
    .where(and(inArray(payouts.id, [...ids]), eq(payouts.status, 'pending')));
}

/** For a while nothing is paid out of a lobby's pool, for a reason that is not in the payouts. */
export async function stopPayouts(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  lobbyId: LobbyId,
): Promise<void> {
  await db
    .update(payouts)
    .set({ notBefore: new Date(nowMs() + UNPAYABLE_FOR_MS) })
    .where(and(eq(payouts.lobbyId, lobbyId), eq(payouts.status, 'pending')));
}

/** Keeps pending payouts from being signed. Returns the ids of those that are held from now on. */
export async function holdPayouts(
  tx: Database,
  ids: readonly string[],
  { reason, nowMs }: { readonly reason: string; readonly nowMs: number },
): Promise<string[]> {
  const isFree = and(inArray(payouts.id, [...ids]), eq(payouts.status, 'pending'), isNull(payouts.heldAt));
  const held = await tx
    .update(payouts)
    .set({ heldAt: new Date(nowMs), holdReason: reason })
    .where(isFree)
    .returning({ id: payouts.id });
  return held.map(({ id }) => id);
}

/**
 * A person allows these payouts, in spite of the limits: they are not held again for these. Returns the ids of those
 * that were held.
 */
export async function releasePayouts(tx: Database, ids: readonly string[], nowMs: number): Promise<string[]> {
  const released = await tx
    .update(payouts)
    .set({ heldAt: null, holdReason: null, releasedAt: new Date(nowMs), notBefore: null })
    .where(and(inArray(payouts.id, [...ids]), isNotNull(payouts.heldAt)))
    .returning({ id: payouts.id });
  return released.map(({ id }) => id);
}

/** What these were held for is over. Unlike those that a person releases, they are still subject to the limits. */
export async function endHold(tx: Database, ids: readonly string[]): Promise<void> {
  await tx
    .update(payouts)
    .set({ heldAt: null, holdReason: null, notBefore: null })
    .where(and(inArray(payouts.id, [...ids]), isNotNull(payouts.heldAt)));
}

/** These stay held, for another reason. */
export async function holdOn(tx: Database, ids: readonly string[], reason: string): Promise<void> {
  await tx
    .update(payouts)
    .set({ holdReason: reason })
    .where(and(inArray(payouts.id, [...ids]), isNotNull(payouts.heldAt)));
}

/** Ends the wait of a pending payout after a failure. Returns the ids of those that waited. */
export async function retryPayouts(tx: Database, ids: readonly string[]): Promise<string[]> {
  const retried = await tx
    .update(payouts)
    .set({ notBefore: null })
    .where(and(inArray(payouts.id, [...ids]), eq(payouts.status, 'pending'), isNotNull(payouts.notBefore)))
    .returning({ id: payouts.id });
  return retried.map(({ id }) => id);
}

/** The chain would refuse this payout: it is retried alone, after a delay that grows. */
export async function refusePayout(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  { id }: PayoutRow,
  reason: string,
): Promise<void> {
  context.logger.error(
    { code: 'PAYOUTS_REFUSED', payoutIds: [id], reason },
    'the chain would refuse payouts',
  );
  await context.db.transaction(async (tx) => {
    const pending = await tx
      .select({ id: payouts.id, failedAttempts: payouts.failedAttempts })
      .from(payouts)
      .where(and(eq(payouts.id, id), eq(payouts.status, 'pending')))
      .for('update');
    await requeueAlone(context, tx, pending);
  });
}

export type NewBatch = Omit<typeof payoutBatches.$inferInsert, 'status'>;

/**
 * Stores a batch before anybody is asked to sign it, because whoever signs may die before answering. Undefined if
 * another worker was faster; then it must not be signed.
 */
export async function openBatch(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  paid: readonly PayoutRow[],
  batch: NewBatch,
): Promise<BatchRow | undefined> {
  const ids = paid.map(({ id }) => id);
  try {
    return await db.transaction(async (tx) => {
      const [row] = await tx
        .insert(payoutBatches)
        .values({ ...batch, status: 'open' })
        .returning();
      const taken = await tx
        .update(payouts)
        .set({ status: 'processing', batchId: batch.id, waitsForWallet: false })
        .where(and(inArray(payouts.id, ids), eq(payouts.status, 'pending'), isNull(payouts.heldAt)))
        .returning({ id: payouts.id });
      if (taken.length !== ids.length) throw new Error('A payout of the batch is held or in another batch');
      return row;
    });
  } catch (error) {
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    logger.info({ lobbyId: batch.lobbyId }, 'another worker pays this lobby');
    return undefined;
  }
}

/** Stores what the signer signed, before it is sent. */
export async function noteSignature(
  db: Database,
  batch: BatchRow,
  signed: { readonly signature: TransactionSignature; readonly wire: string },
): Promise<void> {
  await db
    .update(payoutBatches)
    .set(signed)
    .where(and(eq(payoutBatches.id, batch.id), eq(payoutBatches.status, 'open')));
}

/**
 * The signer has not signed the batch and never will. Payouts over their own limit wait for a person, those over a
 * limit per hour wait for a while, and the rest gets into the next batch.
 */
export async function dropBatch(
  context: Pick<Context, 'db' | 'nowMs'>,
  batch: BatchRow,
  refusal: Refusal,
): Promise<{ readonly awaitingSigner: readonly string[] }> {
  const { db, nowMs } = context;
  const { id: batchId } = batch;
  const over = refusal.reason === 'over-limit' ? refusal.excess : [];
  const heldIds = over.filter(({ limit }) => limit === 'payout').map(({ payoutId }) => payoutId);
  const lateIds = over.filter(({ limit }) => limit !== 'payout').map(({ payoutId }) => payoutId);
  return db.transaction(async (tx) => {
    const dropped = await tx
      .update(payoutBatches)
      .set({ status: 'refused', failureReason: JSON.stringify(refusal), closedAt: new Date(nowMs()) })
      .where(and(eq(payoutBatches.id, batchId), eq(payoutBatches.status, 'open')))
      .returning({ id: payoutBatches.id });
    if (dropped.length === 0) return { awaitingSigner: [] };
    const awaitingSigner = await releasedAmong(tx, heldIds);
    const waits = refusal.reason === 'over-limit' ? lateIds : await idsIn(tx, batch);
    const waitMs = refusal.reason === 'over-limit' ? LIMIT_REACHED_FOR_MS : UNPAYABLE_FOR_MS;
    await requeueWhole(tx, batch);
    const toHold = heldIds.filter((id) => !awaitingSigner.includes(id));
    await holdPayouts(tx, toHold, { reason: 'over the limit of a payout', nowMs: nowMs() });
    const delay = (ids: readonly string[], ms: number) =>
      tx
        .update(payouts)
        .set({ notBefore: new Date(nowMs() + ms) })
        .where(inArray(payouts.id, [...ids]));
    await delay(waits, waitMs);
    await delay(awaitingSigner, UNPAYABLE_FOR_MS);
    return { awaitingSigner };
  });
}

/** Released here, but not yet at a signer of its own: they are tried again, so the order of the two does not matter. */
async function releasedAmong(tx: Database, ids: readonly string[]): Promise<string[]> {
  const rows = await tx
    .select({ id: payouts.id })
    .from(payouts)
    .where(and(inArray(payouts.id, [...ids]), isNotNull(payouts.releasedAt)));
  return rows.map(({ id }) => id);
}

async function idsIn(tx: Database, { id }: BatchRow): Promise<string[]> {
  const rows = await tx.select({ id: payouts.id }).from(payouts).where(eq(payouts.batchId, id));
  return rows.map((row) => row.id);
}

/** A node did not forward a batch because it would fail. If it does not land, it counts as failed; null if it does not. */
export async function noteRefusal(
  db: Database,
  batch: BatchRow,
  failureReason: string | null,
): Promise<void> {
  await db
    .update(payoutBatches)
    .set({ failureReason })
    .where(and(eq(payoutBatches.id, batch.id), eq(payoutBatches.status, 'open')));
}

/** Books the final outcome of a claim transaction. Must run inside a database transaction. */
export async function closeBatch(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  batch: BatchRow,
  fate: TransactionFate,
): Promise<void> {
  const closed = await tx
    .update(payoutBatches)
    .set({
      status: fate.kind,
      ...(fate.kind === 'failed' && { failureReason: fate.reason }),
      ...(fate.kind === 'finalized' && { landedSlot: fate.slot, failureReason: null }),
      closedAt: new Date(context.nowMs()),
    })
    .where(and(eq(payoutBatches.id, batch.id), eq(payoutBatches.status, 'open')))
    .returning({ failureReason: payoutBatches.failureReason });
  const [row] = closed;
  if (!row) return;
  const batched = await tx.select().from(payouts).where(eq(payouts.batchId, batch.id)).for('update');
  if (fate.kind === 'finalized') await complete(context, tx, batch, batched);
  else if (row.failureReason !== null) await requeueAlone(context, tx, batched);
  else await requeueWhole(tx, batch);
}

/** The chain has paid these payouts by the batch that they are in. */
async function complete(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  { id, lobbyId }: Pick<BatchRow, 'id' | 'lobbyId'>,
  paid: readonly PayoutRow[],
): Promise<void> {
  await post(tx, {
    key: `payout:${id}`,
    lobbyId,
    postings: paid.map((payout) => ({
      debit: payableOf(lobbyId, payout.id),
      credit: poolOf(lobbyId),
      amount: payout.amount,
    })),
  });
  await tx
    .update(payouts)
    .set({ status: 'completed', completedAt: new Date(context.nowMs()) })
    .where(eq(payouts.batchId, id));
}

/** The batch was lost on the way, which says nothing about its payouts: they can share the next one at once. */
async function requeueWhole(tx: Database, { id }: BatchRow): Promise<void> {
  await tx.update(payouts).set({ status: 'pending', batchId: null }).where(eq(payouts.batchId, id));
}

/** One of the payouts makes the chain refuse its batch: each is retried alone, after a delay that grows. */
async function requeueAlone(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  unpaid: readonly Pick<PayoutRow, 'id' | 'failedAttempts'>[],
): Promise<void> {
  for (const { id, failedAttempts } of unpaid) {
    const delayMs = Math.min(RETRY_AFTER_MS * 2 ** failedAttempts, MAX_RETRY_AFTER_MS);
    await tx
      .update(payouts)
      .set({
        status: 'pending',
        batchId: null,
        failedAttempts: sql`${payouts.failedAttempts} + 1`,
        notBefore: new Date(context.nowMs() + delayMs),
      })
      .where(eq(payouts.id, id));
  }
}

/* Claims that are final on the chain and that the books had given up, or never knew. */

/** Books the last claim of a counter if it is one of our batches that was given up. False if it is not. */
export async function reviveBatch(
  context: Pick<Context, 'logger' | 'nowMs'>,
  tx: Database,
  lobbyId: LobbyId,
  landed: { readonly number: bigint; readonly lastBatchId: string; readonly slot: bigint },
): Promise<boolean> {
  const { number, lastBatchId: id, slot } = landed;
  const [batch] = await tx
    .update(payoutBatches)
    .set({ status: 'finalized', landedSlot: slot, failureReason: null, closedAt: new Date(context.nowMs()) })
    .where(
      and(
        eq(payoutBatches.id, id),
        eq(payoutBatches.lobbyId, lobbyId),
        eq(payoutBatches.number, number),
        inArray(payoutBatches.status, ['expired', 'failed', 'refused']),
      ),
    )
    .returning();
  if (!batch) return false;
  const ids = batchSchema.parse(batch.description).rewards.map(({ payoutId }) => payoutId);
  const paid = await tx
    .update(payouts)
    .set({ batchId: id })
    .where(and(inArray(payouts.id, ids), eq(payouts.status, 'pending')))
    .returning();
  if (paid.length !== ids.length)
    throw new Error(`The batch ${id} has landed, but its payouts are not pending`);
  await complete(context, tx, batch, paid);
  context.logger.info({ lobbyId, batchId: id, number }, 'a batch that was given up had landed');
  return true;
}

/** A claim took a number and paid what nobody was owed. The next one follows it. */
export async function noteForeignClaim(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  batch: Pick<BatchRow, 'id' | 'lobbyId' | 'number' | 'signature' | 'landedSlot'>,
): Promise<void> {
  const values = { ...batch, status: 'finalized', lastValidBlockHeight: 0n } as const;
  await tx.insert(payoutBatches).values({ ...values, closedAt: new Date(context.nowMs()) });
}

/** These payouts were made by a final claim that the books did not know of. */
export async function adoptBatch(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  batch: Pick<BatchRow, 'id' | 'lobbyId' | 'number' | 'signature' | 'landedSlot'>,
  paid: readonly PayoutRow[],
): Promise<void> {
  const now = new Date(context.nowMs());
  const values = { ...batch, status: 'finalized', lastValidBlockHeight: 0n, closedAt: now } as const;
  await tx.insert(payoutBatches).values(values);
  const ids = paid.map(({ id }) => id);
  await tx.update(payouts).set({ batchId: batch.id }).where(inArray(payouts.id, ids));
  await complete(context, tx, batch, paid);
}

/** A batch landed whose signature was lost between signing and storing. */
export async function noteLandedSignature(
  tx: Database,
  batchId: string,
  signature: TransactionSignature,
): Promise<void> {
  await tx
    .update(payoutBatches)
    .set({ signature })
    .where(and(eq(payoutBatches.id, batchId), isNull(payoutBatches.signature)));
}

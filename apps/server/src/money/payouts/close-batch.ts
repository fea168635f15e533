import type { TransactionFate } from '@engulf/chain/await-finality';
import { and, eq, inArray, sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { entries } from '../../platform/database/games.ts';
import { payoutBatches, payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { payableOf, poolOf } from '../ledger/accounts.ts';
import { post } from '../ledger/post.ts';

type BatchRow = typeof payoutBatches.$inferSelect;
type PayoutRow = typeof payouts.$inferSelect;

const RETRY_AFTER_MS = 5_000;
const MAX_RETRY_AFTER_MS = 300_000;

/** Books the end of a claim transaction that nothing can change any more. To be called in a transaction. */
export async function closeBatch(
  context: Context,
  tx: Database,
  batch: BatchRow,
  fate: TransactionFate,
): Promise<void> {
  const closed = await tx
    .update(payoutBatches)
    .set({
      status: fate.kind,
      failureReason: fate.kind === 'failed' ? fate.reason : null,
      closedAt: new Date(context.nowMs()),
    })
    .where(and(eq(payoutBatches.id, batch.id), eq(payoutBatches.status, 'open')))
    .returning({ id: payoutBatches.id });
  if (closed.length === 0) return;
  const paid = await tx.select().from(payouts).where(eq(payouts.batchId, batch.id)).for('update');
  if (fate.kind === 'finalized') await complete(context, tx, batch, paid);
  else await putBack(context, tx, paid);
}

async function complete(
  context: Context,
  tx: Database,
  { id, lobbyId }: BatchRow,
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
  const entryIds = paid.flatMap(({ entryId }) => entryId ?? []);
  if (entryIds.length === 0) return;
  await tx
    .update(entries)
    .set({ state: 'expired' })
    .where(and(inArray(entries.id, entryIds), eq(entries.state, 'refunding')));
}

/**
 * It did not pay anybody: everyone is tried alone, after a while that grows each time. Also if it expired: nodes do
 * not pass on what the chain would refuse, so that is how most refusals end.
 */
async function putBack(context: Context, tx: Database, unpaid: readonly PayoutRow[]): Promise<void> {
  for (const { id, failedAttempts } of unpaid) {
    const waitMs = Math.min(RETRY_AFTER_MS * 2 ** failedAttempts, MAX_RETRY_AFTER_MS);
    await tx
      .update(payouts)
      .set({
        status: 'pending',
        batchId: null,
        failedAttempts: sql`${payouts.failedAttempts} + 1`,
        notBefore: new Date(context.nowMs() + waitMs),
      })
      .where(eq(payouts.id, id));
  }
}

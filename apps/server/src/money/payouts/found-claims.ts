import type { LobbyId, TransactionSignature } from '@engulf/domain/ids/entity-ids';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, type PayoutRow, payoutBatches, payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { batchSchema } from '../signer/signer.ts';
import { complete } from './payout-states.ts';

/*
 * Claims that are final on the chain and that the books had given up, or never knew.
 */

/** Books the last claim of a counter if it is one of our batches that was given up. False if it is not. */
export async function reviveBatch(
  context: Context,
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
  context: Context,
  tx: Database,
  batch: Pick<BatchRow, 'id' | 'lobbyId' | 'number' | 'signature' | 'landedSlot'>,
): Promise<void> {
  const values = { ...batch, status: 'finalized', lastValidBlockHeight: 0n } as const;
  await tx.insert(payoutBatches).values({ ...values, closedAt: new Date(context.nowMs()) });
}

/** These payouts were made by a final claim that the books did not know of. */
export async function adoptBatch(
  context: Context,
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

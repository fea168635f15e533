import { lookUpFate } from '@engulf/chain/await-finality';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { type Base64EncodedWireTransaction, signature } from '@solana/kit';
import { and, eq } from 'drizzle-orm';
import { findLobby, isPaid, type PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { payoutBatches } from '../../platform/database/money.ts';
import { closeBatch } from './close-batch.ts';
import { isPoolUntouched } from './pool-witness.ts';
import { type BatchRow, signBatch } from './sign-batch.ts';

export type SendTransaction = (wire: Base64EncodedWireTransaction) => Promise<void>;

/**
 * Takes a lobby's payouts one step further. A claim is written down before it is sent, and as long as it may
 * still land it is the only one: it is sent again, never signed again. Harmless to repeat, whenever it was cut off.
 */
export async function payLobby(context: Context, lobbyId: LobbyId, send: SendTransaction): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  if (!lobby || !isPaid(lobby)) return;
  const open = await findOpenBatch(context, lobbyId);
  if (open && !(await isResolved(context, lobby, open, send))) return;
  const signed = await signBatch(context, lobby);
  if (signed) await trySending(context, signed, send);
}

export function sendThrough({ chain }: Context): SendTransaction {
  return async (wire) => {
    await chain.rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
  };
}

async function findOpenBatch({ db }: Context, lobbyId: LobbyId): Promise<BatchRow | undefined> {
  const [batch] = await db
    .select()
    .from(payoutBatches)
    .where(and(eq(payoutBatches.lobbyId, lobbyId), eq(payoutBatches.status, 'open')));
  return batch;
}

/** Whether the batch has an end that nothing can change. If not, it is sent once more: it may have been lost. */
async function isResolved(
  context: Context,
  lobby: PaidLobby,
  batch: BatchRow,
  send: SendTransaction,
): Promise<boolean> {
  const { id: batchId, lobbyId, lastValidBlockHeight } = batch;
  const fate = await lookUpFate({
    rpc: context.chain.rpc,
    signature: signature(batch.signature),
    lastValidBlockHeight,
  });
  if (!fate) {
    await trySending(context, batch, send);
    return false;
  }
  if (fate.kind === 'expired' && !(await isPoolUntouched(context, lobby))) {
    context.logger.error(
      { batchId, lobbyId, signature: batch.signature },
      'a payout seems to have expired, but the pool holds less than the books: it may have been paid and stays open',
    );
    return false;
  }
  await context.db.transaction((tx) => closeBatch(context, tx, batch, fate));
  const level = fate.kind === 'finalized' ? 'info' : 'warn';
  context.logger[level]({ batchId, lobbyId, signature: batch.signature, fate }, 'payout decided');
  return true;
}

/** Whether it arrived, the next look at the chain tells; an error here says nothing. */
async function trySending({ logger }: Context, batch: BatchRow, send: SendTransaction): Promise<void> {
  try {
    await send(batch.wire as Base64EncodedWireTransaction);
  } catch (error) {
    logger.info(
      { err: error, batchId: batch.id, signature: batch.signature },
      'sending a payout did not succeed',
    );
  }
}

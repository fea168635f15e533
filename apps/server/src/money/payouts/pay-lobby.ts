import { lookUpFate } from '@engulf/chain/await-finality';
import { readLobby, readPool } from '@engulf/chain/read-configs';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { type Base64EncodedWireTransaction, signature } from '@solana/kit';
import { and, eq, isNull, lte, or } from 'drizzle-orm';
import { findLobby, isPaid, type PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, payoutBatches, payouts } from '../../platform/database/money.ts';
import { poolOf } from '../ledger/accounts.ts';
import { readBalance } from '../ledger/post.ts';
import { closeBatch } from './payout-states.ts';
import { signBatch } from './sign-batch.ts';

export type PayoutDeps = {
  send(wire: Base64EncodedWireTransaction): Promise<void>;
  /** Books every payment that the chain knows of. */
  bookPayments(lobbyId: LobbyId): Promise<void>;
};

/** The lobbies that have something to pay or a claim in flight. */
export async function lobbiesThatOwe({ db, nowMs }: Context): Promise<LobbyId[]> {
  const isDue = or(isNull(payouts.notBefore), lte(payouts.notBefore, new Date(nowMs())));
  const waiting = await db
    .selectDistinct({ lobbyId: payouts.lobbyId })
    .from(payouts)
    .where(and(eq(payouts.status, 'pending'), isDue));
  const open = await db
    .select({ lobbyId: payoutBatches.lobbyId })
    .from(payoutBatches)
    .where(eq(payoutBatches.status, 'open'));
  return [...new Set([...waiting, ...open].map(({ lobbyId }) => lobbyId))];
}

/**
 * Takes a lobby's payouts one step further. A claim is stored before it is sent, and as long as it may still land
 * it is the only one: it is sent again, never signed again. Safe to repeat after a crash at any line.
 */
export async function payLobby(context: Context, lobbyId: LobbyId, deps: PayoutDeps): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  if (!lobby || !isPaid(lobby)) return;
  const open = await findOpenBatch(context, lobbyId);
  if (open && !(await isResolved(context, lobby, open, deps))) return;
  const signed = await signBatch(context, lobby);
  if (signed) await trySending(context, signed, deps);
}

export async function sendThroughNode({ chain }: Context, wire: Base64EncodedWireTransaction): Promise<void> {
  await chain.rpc.sendTransaction(wire, { encoding: 'base64', preflightCommitment: 'confirmed' }).send();
}

async function findOpenBatch({ db }: Context, lobbyId: LobbyId): Promise<BatchRow | undefined> {
  const [batch] = await db
    .select()
    .from(payoutBatches)
    .where(and(eq(payoutBatches.lobbyId, lobbyId), eq(payoutBatches.status, 'open')));
  return batch;
}

/** Whether the batch has reached a fate that nothing can change. If not, it is sent again: it may have been lost. */
async function isResolved(
  context: Context,
  lobby: PaidLobby,
  batch: BatchRow,
  deps: PayoutDeps,
): Promise<boolean> {
  const { id: batchId, lobbyId, lastValidBlockHeight } = batch;
  const fate = await lookUpFate({
    rpc: context.chain.rpc,
    signature: signature(batch.signature),
    lastValidBlockHeight,
  });
  if (!fate) {
    await trySending(context, batch, deps);
    return false;
  }
  if (fate.kind === 'expired' && !(await isPoolUntouched(context, lobby, deps))) {
    context.logger.error(
      { code: 'PAYOUT_UNCERTAIN', batchId, lobbyId, signature: batch.signature },
      'a payout seems expired, but the pool holds less than the books: it may have been paid and stays open',
    );
    return false;
  }
  await context.db.transaction((tx) => closeBatch(context, tx, batch, fate));
  const level = fate.kind === 'finalized' ? 'info' : 'warn';
  context.logger[level]({ batchId, lobbyId, signature: batch.signature, fate }, 'payout decided');
  return true;
}

/**
 * Whether the pool still holds all that the books say, so that a claim which the node does not know cannot have
 * paid. A node can forget a transaction, but not the balance that it left behind.
 */
async function isPoolUntouched(context: Context, lobby: PaidLobby, deps: PayoutDeps): Promise<boolean> {
  const { chain, db } = context;
  const account = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId, 'finalized');
  const pool = account ? await readPool(chain.rpc, account, 'finalized') : 0n;
  // The books are read last and complete: a payment missing from them would make up for what the claim took.
  await deps.bookPayments(lobby.id);
  return pool >= -(await readBalance(db, poolOf(lobby.id)));
}

/** An error says nothing about whether it arrived; the next look at the chain tells. */
async function trySending({ logger }: Context, batch: BatchRow, { send }: PayoutDeps): Promise<void> {
  try {
    await send(batch.wire as Base64EncodedWireTransaction);
  } catch (error) {
    logger.info({ err: error, batchId: batch.id, signature: batch.signature }, 'sending a payout failed');
  }
}

import { randomUUID } from 'node:crypto';
import { buildClaimBatch } from '@engulf/chain/claim-batch';
import { readLobby } from '@engulf/chain/read-configs';
import { signForSending } from '@engulf/chain/signed-transaction';
import { type LobbyId, transactionSignature } from '@engulf/domain/ids/entity-ids';
import { address } from '@solana/kit';
import { and, asc, eq, inArray, isNull, lte, or } from 'drizzle-orm';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { payoutBatches, payouts } from '../../platform/database/money.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../../platform/database/sql-state.ts';

export type BatchRow = typeof payoutBatches.$inferSelect;
type PayoutRow = typeof payouts.$inferSelect;

/** More than one transaction can hold, so that it is filled even if some cannot be paid now. */
const CANDIDATES = 40;
/** A wallet that cannot receive now, for example too little to exist by, is looked at again from time to time. */
const UNPAYABLE_FOR_MS = 60_000;

/** Signs a claim for the payouts that are due and writes it down; undefined if there is nothing to pay. */
export async function signBatch(context: Context, lobby: PaidLobby): Promise<BatchRow | undefined> {
  const { chain } = context;
  const due = await duePayouts(context, lobby.id);
  if (due.length === 0) return undefined;
  if (!chain.superAdmin) throw new Error('Payouts need SUPER_ADMIN_KEYPAIR');
  const onChain = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId);
  if (!onChain) throw new Error(`The lobby ${lobby.id} owes payouts and is not on the chain`);
  const batchId = randomUUID();
  const { message, paid, unpayable } = await buildClaimBatch({
    rpc: chain.rpc,
    programId: chain.programId,
    lobby: onChain,
    superAdmin: chain.superAdmin,
    rewards: due.map((payout) => ({
      ...payout,
      player: address(payout.wallet),
      // Who paid had an account. Paying, closing it and being refunded would earn its rent each time.
      needsTokenAccount: payout.isRefund,
    })),
    batchId,
  });
  await postpone(context, unpayable);
  if (!message) return undefined;
  const { signature, wire, lastValidBlockHeight } = await signForSending(message);
  return writeDown(context, paid, {
    id: batchId,
    lobbyId: lobby.id,
    signature: transactionSignature(signature),
    wire,
    lastValidBlockHeight,
    status: 'open',
    createdAt: new Date(context.nowMs()),
  });
}

/** One that was in a batch that did not land goes alone: no player can hold up the others for long. */
async function duePayouts({ db, nowMs }: Context, lobbyId: LobbyId): Promise<PayoutRow[]> {
  const due = await db
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.lobbyId, lobbyId),
        eq(payouts.status, 'pending'),
        or(isNull(payouts.notBefore), lte(payouts.notBefore, new Date(nowMs()))),
      ),
    )
    .orderBy(asc(payouts.failedAttempts), asc(payouts.createdAt), asc(payouts.id))
    .limit(CANDIDATES);
  const untried = due.filter(({ failedAttempts }) => failedAttempts === 0);
  return untried.length > 0 ? untried : due.slice(0, 1);
}

async function postpone({ db, logger, nowMs }: Context, unpayable: readonly PayoutRow[]): Promise<void> {
  if (unpayable.length === 0) return;
  const ids = unpayable.map(({ id }) => id);
  logger.warn({ payoutIds: ids }, 'payouts wait: their wallets cannot receive them now');
  await db
    .update(payouts)
    .set({ notBefore: new Date(nowMs() + UNPAYABLE_FOR_MS) })
    .where(inArray(payouts.id, ids));
}

async function writeDown(
  { db, logger }: Context,
  paid: readonly PayoutRow[],
  batch: typeof payoutBatches.$inferInsert,
): Promise<BatchRow | undefined> {
  const ids = paid.map(({ id }) => id);
  try {
    return await db.transaction(async (tx) => {
      const [row] = await tx.insert(payoutBatches).values(batch).returning();
      const taken = await tx
        .update(payouts)
        .set({ status: 'processing', batchId: batch.id })
        .where(and(inArray(payouts.id, ids), eq(payouts.status, 'pending')))
        .returning({ id: payouts.id });
      if (taken.length !== ids.length) throw new Error('A payout of the batch was taken by another');
      return row;
    });
  } catch (error) {
    // Another worker was faster. What we signed is thrown away unsent.
    if (!hasSqlState(error, UNIQUE_VIOLATION)) throw error;
    logger.warn({ lobbyId: batch.lobbyId }, 'another worker pays this lobby');
    return undefined;
  }
}

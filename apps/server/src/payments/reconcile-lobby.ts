import type { JoinPayment } from '@engulf/chain/join-payments';
import { type LobbyTransaction, readLobbyTransactions } from '@engulf/chain/lobby-payments';
import { findLobbyConfig } from '@engulf/chain/pdas';
import {
  type LobbyId,
  transactionSignature,
  type WalletAddress,
  walletAddress,
} from '@engulf/domain/ids/entity-ids';
import { type Address, type Signature, signature as toSignature } from '@solana/kit';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { lockLobby } from '../entries/seats.ts';
import { findLobby, isPaid, type PaidLobby } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies, type PaymentRow, payments } from '../platform/database/games.ts';
import { payoutBatches } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import { acceptPayment, recordPayment } from './decide-payment.ts';

/**
 * Matches a lobby's new transactions on the chain with entries: everyone who paid gets a seat or a refund, even if
 * their browser never told us. Safe to repeat.
 */
export async function reconcileLobby(context: Context, lobbyId: LobbyId): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  if (!lobby || !isPaid(lobby)) return;
  const { rpc, programId } = context.chain;
  const transactions = readLobbyTransactions({
    rpc,
    programId,
    lobbyConfig: await findLobbyConfig(programId, lobby.chainLobbyId),
    after: lobby.reconciledUpTo === null ? undefined : toSignature(lobby.reconciledUpTo),
  });
  for await (const transaction of transactions) {
    await reconcileTransaction(context, lobby, transaction);
    const reconciledUpTo = transactionSignature(transaction.signature);
    await context.db.update(lobbies).set({ reconciledUpTo }).where(eq(lobbies.id, lobby.id));
  }
}

async function reconcileTransaction(
  context: Context,
  lobby: PaidLobby,
  transaction: LobbyTransaction,
): Promise<void> {
  const { signature, slot } = transaction;
  const seen = new Map<Address, number>();
  for (const payment of transaction.payments) {
    const nth = seen.get(payment.player) ?? 0;
    seen.set(payment.player, nth + 1);
    await context.db.transaction(async (tx) => {
      await lockLobby(tx, lobby.id);
      const { id } = await record(tx, lobby, signature, payment, nth);
      await acceptPayment(context, tx, lobby, id, { payment, slot });
    });
  }
  if (transaction.payments.length === 0) await reportForeign(context, lobby, transaction);
}

async function record(
  tx: Database,
  lobby: PaidLobby,
  signature: Signature,
  payment: JoinPayment,
  nth: number,
): Promise<PaymentRow> {
  const key = {
    signature: transactionSignature(signature),
    lobbyId: lobby.id,
    wallet: walletAddress(payment.player),
    nth,
  };
  return recordPayment(tx, key, await lockWaitingEntry(tx, lobby, key.wallet));
}

/** The entry of a player who paid before saying so, or could not say by which transaction. */
async function lockWaitingEntry(tx: Database, lobby: PaidLobby, wallet: WalletAddress) {
  const [entry] = await tx
    .select({ id: entries.id })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .leftJoin(payments, eq(payments.entryId, entries.id))
    .where(
      and(
        eq(entries.lobbyId, lobby.id),
        eq(users.walletAddress, wallet),
        inArray(entries.state, ['created', 'payment_processing']),
        isNull(payments.id),
      ),
    )
    // Locks the entry before its payment, as all other code does: the reverse order could deadlock.
    .for('update', { of: entries });
  return entry?.id ?? null;
}

/** Anything else that touches a lobby should be one of our payouts, or the creation of the lobby. */
async function reportForeign(
  { db, logger }: Context,
  lobby: PaidLobby,
  { signature, isFailed }: LobbyTransaction,
): Promise<void> {
  if (isFailed || lobby.reconciledUpTo === null) return;
  const [batch] = await db
    .select({ id: payoutBatches.id })
    .from(payoutBatches)
    .where(eq(payoutBatches.signature, transactionSignature(signature)));
  if (!batch) logger.warn({ lobbyId: lobby.id, signature }, 'a transaction on the lobby is not one of ours');
}

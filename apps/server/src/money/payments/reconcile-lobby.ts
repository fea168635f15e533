import { randomUUID } from 'node:crypto';
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
import { findLobby, isPaid, type PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { entries, lobbies, payments } from '../../platform/database/games.ts';
import { payoutBatches } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { users } from '../../platform/database/people.ts';
import { readSolvency } from '../solvency.ts';
import { acceptPayment } from './decide-payment.ts';

/**
 * Reads what happened to a lobby on the chain since the last run and matches it with entries: whoever paid gets a seat
 * or a refund, even if their browser never reported the payment. Safe to repeat.
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
  const { pool, owedAtLeast } = await readSolvency(context, lobby);
  if (pool < owedAtLeast)
    context.logger.error({ lobbyId, pool, owedAtLeast }, 'the pool holds less than it owes');
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
      const paymentId = await findOrRecord(tx, lobby, signature, payment, nth);
      await acceptPayment(context, tx, lobby, paymentId, { payment, slot });
    });
  }
  if (transaction.payments.length === 0) await reportForeign(context, lobby, transaction);
}

async function findOrRecord(
  tx: Database,
  lobby: PaidLobby,
  signature: Signature,
  payment: JoinPayment,
  nth: number,
): Promise<string> {
  const key = {
    signature: transactionSignature(signature),
    lobbyId: lobby.id,
    wallet: walletAddress(payment.player),
    nth,
  };
  const entryId = await waitingEntryOf(tx, lobby, key.wallet);
  await tx
    .insert(payments)
    .values({ id: randomUUID(), ...key, entryId, status: 'verifying' })
    .onConflictDoNothing();
  const [row] = await tx
    .select({ id: payments.id })
    .from(payments)
    .where(
      and(
        eq(payments.signature, key.signature),
        eq(payments.lobbyId, key.lobbyId),
        eq(payments.wallet, key.wallet),
        eq(payments.nth, nth),
      ),
    );
  return row!.id;
}

/** The entry of a player who paid but did not report the transaction. */
async function waitingEntryOf(tx: Database, lobby: PaidLobby, wallet: WalletAddress) {
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

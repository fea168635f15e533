import { type JoinPayment, readJoinPayments } from '@engulf/chain/join-payments';
import { findLobbyConfig } from '@engulf/chain/pdas';
import {
  type LobbyId,
  transactionSignature,
  type WalletAddress,
  walletAddress,
} from '@engulf/domain/ids/entity-ids';
import { type Address, type Signature, signature as toSignature } from '@solana/kit';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { findLobby, isPaid, type PaidLobby } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies, type PaymentRow, payments } from '../platform/database/games.ts';
import { payoutBatches } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import { acceptPayment, recordPayment } from './decide-payment.ts';

const PAGE = 200;

/**
 * Matches a lobby's new transactions on the chain with entries: everyone who paid gets a seat or a refund, even if
 * their browser never told us. Safe to repeat.
 */
export async function reconcileLobby(context: Context, lobbyId: LobbyId): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  if (!lobby || !isPaid(lobby)) return;
  const account = await findLobbyConfig(context.chain.programId, lobby.chainLobbyId);
  for (const signature of await newSignatures(context, lobby, account)) {
    await reconcileTransaction(context, lobby, account, signature);
    const reconciledUpTo = transactionSignature(signature);
    await context.db.update(lobbies).set({ reconciledUpTo }).where(eq(lobbies.id, lobby.id));
  }
}

/** Oldest first. */
async function newSignatures({ chain }: Context, lobby: PaidLobby, account: Address): Promise<Signature[]> {
  const found: Signature[] = [];
  const until = lobby.reconciledUpTo === null ? undefined : toSignature(lobby.reconciledUpTo);
  for (;;) {
    const before = found.at(-1);
    const page = await chain.rpc
      .getSignaturesForAddress(account, {
        commitment: 'finalized',
        limit: PAGE,
        ...(until && { until }),
        ...(before && { before }),
      })
      .send();
    found.push(...page.map(({ signature }) => signature));
    if (page.length < PAGE) return found.reverse();
  }
}

async function reconcileTransaction(
  context: Context,
  lobby: PaidLobby,
  account: Address,
  signature: Signature,
): Promise<void> {
  const transaction = await context.chain.rpc
    .getTransaction(signature, {
      commitment: 'finalized',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send();
  if (!transaction) throw new Error(`${signature} is final but cannot be read`);
  const joins = readJoinPayments(transaction, context.chain.programId).filter(
    ({ lobbyConfig }) => lobbyConfig === account,
  );
  const seen = new Map<Address, number>();
  for (const payment of joins) {
    const nth = seen.get(payment.player) ?? 0;
    seen.set(payment.player, nth + 1);
    await context.db.transaction(async (tx) => {
      const { id } = await record(tx, lobby, signature, payment, nth);
      await acceptPayment(context, tx, lobby, id, { payment, slot: transaction.slot });
    });
  }
  if (joins.length === 0) await reportForeign(context, lobby, signature, transaction.meta?.err ?? null);
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
    // Locked before its payment is written, in the order that all take, or two could wait for each other.
    .for('update', { of: entries });
  return entry?.id ?? null;
}

/** Everything else that touches a lobby is a payout of ours or the creation of the lobby. */
async function reportForeign(
  { db, logger }: Context,
  lobby: PaidLobby,
  signature: Signature,
  error: unknown,
): Promise<void> {
  if (error !== null || lobby.reconciledUpTo === null) return;
  const [batch] = await db
    .select({ id: payoutBatches.id })
    .from(payoutBatches)
    .where(eq(payoutBatches.signature, transactionSignature(signature)));
  if (!batch) logger.warn({ lobbyId: lobby.id, signature }, 'a transaction on the lobby is not one of ours');
}

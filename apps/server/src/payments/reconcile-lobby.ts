import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { type JoinPayment, readJoinPayments } from '@engulf/chain/payments/join-payments';
import { type OrderedClaim, readOrderedClaims } from '@engulf/chain/payouts/read-claim';
import {
  type EntryId,
  type LobbyId,
  transactionSignature,
  type WalletAddress,
  walletAddress,
} from '@engulf/domain/ids/entity-ids';
import type { Address, Signature } from '@solana/kit';
import { and, desc, eq, gt, inArray, isNull, ne, or, sql } from 'drizzle-orm';
import { lockLobby } from '../entries/seats.ts';
import { findLobby, isPaid, type PaidLobby } from '../lobbies/lobby-rows.ts';
import { giftsOf, poolOf } from '../money/ledger/accounts.ts';
import { post } from '../money/ledger/post.ts';
import { findPool } from '../money/pool.ts';
import type { Context } from '../platform/context.ts';
import {
  entries,
  GIVEN_UP_STATES,
  type PaymentRow,
  payments,
  WAITING_STATES,
} from '../platform/database/games.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import { acceptPayment, recordPayment } from './decide-payment.ts';
import { type HandleTransaction, handleNewTransactions, type Reach } from './lobby-transactions.ts';
import { explainWithdrawal, sumOf } from './unknown-claim.ts';

/**
 * Matches a lobby's new transactions on the chain with entries: everyone who paid gets a seat or a refund, even if
 * their browser never told us. Safe to repeat.
 */
export async function reconcileLobby(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'traces' | 'nowMs'>,
  lobbyId: LobbyId,
  reach: Reach = 'recent',
): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  if (!lobby || !isPaid(lobby)) return;
  const pool = await findPool(context, lobby);
  if (!pool) return;
  const { programId } = context.chain;
  const lobbyConfig = await findLobbyConfig(programId, lobby.chainLobbyId);
  const mint = lobby.tokenMint ?? undefined;
  await handleNewTransactions(context, lobby, pool, reach, async (listed, transaction, change) => {
    const { signature, slot } = listed;
    const payments = readJoinPayments(transaction, programId).filter(
      (payment) => payment.lobbyConfig === lobbyConfig && payment.tokenMint === mint,
    );
    await acceptAll(context, lobby, { signature, slot, payments });
    const staked = payments.reduce((sum, { stake }) => sum + stake, 0n);
    const ordered = readOrderedClaims(transaction, programId, lobbyConfig);
    await explainRest(context, lobby, { signature, slot, transaction, ordered }, change - staked);
  });
}

type PayingTransaction = {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly payments: readonly JoinPayment[];
};

type MovingTransaction = {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly transaction: Parameters<HandleTransaction>[1];
  readonly ordered: readonly OrderedClaim[];
};

async function acceptAll(
  context: Pick<Context, 'db' | 'logger' | 'traces' | 'nowMs'>,
  lobby: PaidLobby,
  { signature, slot, payments }: PayingTransaction,
): Promise<void> {
  const seen = new Map<Address, number>();
  for (const payment of payments) {
    const nth = seen.get(payment.player) ?? 0;
    seen.set(payment.player, nth + 1);
    await context.db.transaction(async (tx) => {
      await lockLobby(tx, lobby.id);
      const { id } = await record(context, tx, lobby, signature, payment, nth);
      await acceptPayment(context, tx, lobby, id, { payment, slot });
    });
  }
}

async function record(
  context: Pick<Context, 'nowMs'>,
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
  return recordPayment(tx, key, await lockWaitingEntry(context, tx, lobby, key.wallet));
}

/** A payment of an older entry is not looked for: its player is gone and gets a refund. */
const GIVEN_UP_FOR_MS = 3_600_000;

/**
 * The entry of a player who paid before saying so, or could not say by which transaction, or named a wrong one. It may
 * have been given up while we were down.
 */
async function lockWaitingEntry(
  { nowMs }: Pick<Context, 'nowMs'>,
  tx: Database,
  lobby: PaidLobby,
  wallet: WalletAddress,
): Promise<EntryId | null> {
  const isWaiting = inArray(entries.state, WAITING_STATES);
  const isGivenUp = and(
    inArray(entries.state, GIVEN_UP_STATES),
    gt(entries.createdAt, new Date(nowMs() - GIVEN_UP_FOR_MS)),
  );
  const [entry] = await tx
    .select({ id: entries.id })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .leftJoin(payments, and(eq(payments.entryId, entries.id), ne(payments.status, 'refused')))
    .where(
      and(
        eq(entries.lobbyId, lobby.id),
        eq(users.walletAddress, wallet),
        or(isWaiting, isGivenUp),
        isNull(payments.id),
      ),
    )
    .orderBy(desc(isWaiting), desc(entries.createdAt))
    .limit(1)
    // Locks the entry before its payment, as all other code does: the reverse order could deadlock.
    .for('update', { of: entries });
  return entry?.id ?? null;
}

/**
 * What a transaction moved apart from payments. One of our claims takes what it pays; whatever comes in besides is
 * a gift, booked so that the books keep equal to the pool; nothing else may leave it. A claim in order always counts, even
 * if its transaction brought the money back: the next one has to follow its number.
 */
async function explainRest(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  { ordered, ...moved }: MovingTransaction,
  change: bigint,
): Promise<void> {
  const { db, logger } = context;
  const { signature } = moved;
  const claimed = sumOf(ordered);
  const given = change + claimed + (change === 0n ? 0n : await claimedWithoutNumber(db, signature));
  if (given > 0n) {
    const posting = { debit: poolOf(lobby.id), credit: giftsOf(lobby.id), amount: given };
    await db.transaction((tx) =>
      post(tx, { key: `gift:${lobby.id}:${signature}`, lobbyId: lobby.id, postings: [posting] }),
    );
    logger.info({ lobbyId: lobby.id, signature, amount: given }, 'somebody gave money to the pool');
  }
  const amount = given < 0n ? claimed - given : claimed;
  if (amount === 0n || (await explainWithdrawal(context, lobby, { ...moved, amount }))) return;
  logger.error(
    { code: 'POOL_WITHDRAWN', lobbyId: lobby.id, signature, amount },
    'a transaction took money from the pool that the books do not know of',
  );
  // Put aside and retried: what it paid may only become owed once the matches of a dead process are refunded.
  throw new Error('a withdrawal that the books do not know of');
}

async function claimedWithoutNumber(db: Database, signature: Signature): Promise<bigint> {
  const [claimed] = await db
    .select({ sum: sql<string>`coalesce(sum(${payouts.amount}), 0)::text` })
    .from(payouts)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(and(eq(payoutBatches.signature, transactionSignature(signature)), isNull(payoutBatches.number)));
  return BigInt(claimed!.sum);
}

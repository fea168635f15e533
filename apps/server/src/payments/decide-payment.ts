import { randomUUID } from 'node:crypto';
import type { JoinPayment } from '@engulf/chain/payments/join-payments';
import { isCompletePayment, type PaymentRefusal } from '@engulf/chain/payments/verify-payment';
import { describeFailure } from '@engulf/domain/errors/registry';
import { isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { address } from '@solana/kit';
import { and, eq, sql } from 'drizzle-orm';
import { advance, lockEntry } from '../entries/entry-states.ts';
import { hasEntriesLeft, hasSeatForPayer, lockLobby } from '../entries/seats.ts';
import { PAID_CLAIM_MS } from '../entries/tickets.ts';
import { integrityRefusal } from '../integrity/entry-rules.ts';
import { ownLimitRefusal } from '../limits/own-limit-refusal.ts';
import { isPaid, type PaidLobby } from '../lobbies/lobby-rows.ts';
import { bountyOf, feesOf, payableOf, poolOf, treasuryOf } from '../money/ledger/accounts.ts';
import { post } from '../money/ledger/post.ts';
import { queuePayout } from '../money/payouts/payout-states.ts';
import type { Context } from '../platform/context.ts';
import {
  type EntryRow,
  entries,
  GIVEN_UP_STATES,
  IS_LIVE,
  type PaymentRow,
  payments,
  WAITING_STATES,
} from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import { places, prepareOnce } from '../platform/database/prepare-once.ts';
import { together } from '../platform/database/together.ts';

/*
 * The only writer of payments. A payment is recorded once per signature, lobby, wallet and position in its
 * transaction; it is `verifying` until the chain decides, then `verified` or `refused`. A refused one can still be
 * verified: the reconciler may find what a single look at a node missed.
 */

export type PaymentKey = Pick<PaymentRow, 'signature' | 'lobbyId' | 'wallet' | 'nth'>;

/** A payment that is final on the chain. */
export type FinalPayment = {
  readonly payment: JoinPayment;
  readonly slot: bigint;
};

export async function findPayment(tx: Database, key: PaymentKey): Promise<PaymentRow | undefined> {
  const { signature, lobbyId, wallet, nth } = key;
  const [row] = await finding(tx).execute({ signature, lobbyId, wallet, nth });
  return row;
}

const finding = prepareOnce((db) =>
  db
    .select()
    .from(payments)
    .where(
      and(
        eq(payments.signature, sql.placeholder('signature')),
        eq(payments.lobbyId, sql.placeholder('lobbyId')),
        eq(payments.wallet, sql.placeholder('wallet')),
        eq(payments.nth, sql.placeholder('nth')),
      ),
    ),
);

/** Records a payment for an entry, unless it is known already; then it belongs to the entry that came first. */
export async function recordPayment(
  tx: Database,
  key: PaymentKey,
  entryId: PaymentRow['entryId'],
): Promise<PaymentRow> {
  const { signature, lobbyId, wallet, nth } = key;
  const row = { id: randomUUID(), signature, lobbyId, wallet, nth, entryId };
  const [, found] = await together([recording(tx).execute(row), findPayment(tx, key)]);
  return found!;
}

const recording = prepareOnce((db) =>
  db
    .insert(payments)
    .values({ ...places('id', 'signature', 'lobbyId', 'wallet', 'nth', 'entryId'), status: 'verifying' })
    .onConflictDoNothing(),
);

export async function noteBlockHeight(tx: Database, { id }: PaymentRow, height: bigint): Promise<void> {
  await tx.update(payments).set({ heardAtBlockHeight: height }).where(eq(payments.id, id));
}

/**
 * Books a payment, once: as the bounty of the entry that waits for it, or else as a refund of what reached the
 * pool. Must run inside a database transaction.
 */
export async function acceptPayment(
  context: Pick<Context, 'logger' | 'traces' | 'nowMs'>,
  tx: Database,
  lobby: PaidLobby,
  paymentId: string,
  final: FinalPayment,
): Promise<'granted' | 'refunded' | 'decided-before'> {
  // Read again: the lobby may have been closed while the chain was asked.
  const current = await lockLobby(tx, lobby.id);
  const row = await lockPayment(tx, paymentId);
  if (!row || row.status === 'verified') return 'decided-before';
  const { slot } = final;
  const { stake, platformFee, inputsKey = null } = final.payment;
  const decidedAt = new Date(context.nowMs());
  await verifying(tx).execute({ id: row.id, slot, stake, platformFee, inputsKey, decidedAt });
  const entry =
    current && isPaid(current) ? await findWaitingEntry(context, tx, current, row, final) : undefined;
  const payoutId = randomUUID();
  await post(tx, {
    key: `payment:${row.id}`,
    lobbyId: lobby.id,
    postings: [
      {
        debit: poolOf(lobby.id),
        credit: entry ? bountyOf(lobby.id, entry.id) : payableOf(lobby.id, payoutId),
        amount: stake,
      },
      { debit: treasuryOf(lobby.id), credit: feesOf(lobby.id), amount: platformFee },
    ],
  });
  if (entry) {
    const stateExpiresAt = new Date(decidedAt.getTime() + PAID_CLAIM_MS);
    // A seat that comes back counts as taken now, and so does its deposit.
    const createdAt = isWaiting(entry) ? entry.createdAt : decidedAt;
    await advance(tx, entry, 'ticketSent', { stake, stateExpiresAt, createdAt });
    noteDecision(context, row, { outcome: 'granted', stake });
    return 'granted';
  }
  if (stake > 0n) await refund(tx, row, payoutId, stake);
  noteDecision(context, row, { outcome: 'refunded', stake });
  return 'refunded';
}

const verifying = prepareOnce((db) =>
  db
    .update(payments)
    .set({
      ...places('slot', 'stake', 'platformFee', 'inputsKey', 'decidedAt'),
      status: 'verified',
      failureCode: null,
    })
    .where(eq(payments.id, sql.placeholder('id'))),
);

export async function refusePayment(
  context: Pick<Context, 'logger' | 'traces' | 'nowMs'>,
  tx: Database,
  paymentId: string,
  refusal: PaymentRefusal,
): Promise<void> {
  const row = await lockPayment(tx, paymentId);
  if (row?.status !== 'verifying') return;
  await tx
    .update(payments)
    .set({ status: 'refused', failureCode: refusal.code, decidedAt: new Date(context.nowMs()) })
    .where(eq(payments.id, row.id));
  noteDecision(context, row, { outcome: 'refused', reason: refusal.code });
  const entry = row.entryId === null ? undefined : await lockEntry(tx, row.entryId);
  if (entry?.state !== 'payment_processing') return;
  await advance(tx, entry, 'payment_failed', {
    failure: { code: refusal.code, message: describeFailure(refusal).text },
  });
}

/** Logged where it is decided, so that every path is covered. */
function noteDecision(
  { logger, traces }: Pick<Context, 'logger' | 'traces'>,
  { entryId, lobbyId, createdAt, id: paymentId, signature }: PaymentRow,
  facts: { readonly outcome: string; readonly stake?: bigint; readonly reason?: string },
): void {
  const line = { paymentId, entryId, lobbyId, signature, ...facts };
  if (facts.outcome === 'refused') logger.warn({ code: 'PAYMENT_REFUSED', ...line }, 'payment refused');
  else logger.info(line, 'payment verified');
  if (entryId === null) return;
  const isFailure = facts.outcome !== 'granted';
  traces?.step(
    entryId,
    'verify payment',
    createdAt.getTime(),
    { paymentId, signature, ...facts },
    { isFailure },
  );
}

async function lockPayment(tx: Database, id: string): Promise<PaymentRow | undefined> {
  const [row] = await locking(tx).execute({ id });
  return row;
}

const locking = prepareOnce((db) =>
  db
    .select()
    .from(payments)
    .where(eq(payments.id, sql.placeholder('id')))
    .for('update'),
);

/**
 * The entry this payment is for, if its price was paid, and its lobby is open and has a seat that nobody else has paid
 * for. The entry may have been given up because the payment, the server or the node was late. Its player still gets the
 * seat, unless they have taken another one since or may not take a new one.
 */
async function findWaitingEntry(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  lobby: PaidLobby,
  row: PaymentRow,
  { payment }: FinalPayment,
): Promise<EntryRow | undefined> {
  const entry = row.entryId === null ? undefined : await lockEntry(tx, row.entryId);
  if (!entry || !(isWaiting(entry) || (await canComeBack(context, tx, lobby, entry)))) return undefined;
  const { entryFee } = entry;
  const tokenMint = lobby.tokenMint === null ? undefined : address(lobby.tokenMint);
  const isRight = isCompletePayment(payment, { tokenMint, entryFee }) && isLobbyOpen(lobby, context.nowMs());
  if (isRight && (await hasSeatForPayer(tx, lobby))) return entry;
  if (isWaiting(entry)) await advance(tx, entry, 'expired', {});
  return undefined;
}

const isWaiting = ({ state }: EntryRow) => WAITING_STATES.includes(state);

/**
 * Whether an entry was given up before it was paid for, and its player has no other one and may take a seat. An entry
 * that was given up no longer counts as a deposit or keeps anybody out, so the player's limits are checked again, and who
 * else is in the lobby.
 */
async function canComeBack(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  lobby: PaidLobby,
  { state, userId, entryFee, stake, payoutAmount, addressHash: address }: EntryRow,
): Promise<boolean> {
  if (!GIVEN_UP_STATES.includes(state) || stake > 0n || payoutAmount !== null) return false;
  const [live] = await tx
    .select({ id: entries.id })
    .from(entries)
    .where(and(eq(entries.userId, userId), IS_LIVE));
  if (live || !(await hasEntriesLeft(tx, lobby, userId))) return false;
  const [user] = await tx.select().from(users).where(eq(users.id, userId));
  if (await integrityRefusal(context, tx, { user: user!, lobbyId: lobby.id, address })) return false;
  return !(await ownLimitRefusal(context, tx, userId, { ...lobby, entryFee }));
}

async function refund(tx: Database, row: PaymentRow, payoutId: string, amount: bigint): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.walletAddress, row.wallet));
  await queuePayout(tx, {
    id: payoutId,
    lobbyId: row.lobbyId,
    paymentId: row.id,
    userId: user?.id ?? null,
    wallet: row.wallet,
    amount,
    isRefund: true,
  });
}

import { randomUUID } from 'node:crypto';
import type { JoinPayment } from '@engulf/chain/join-payments';
import type { PaymentRefusal } from '@engulf/chain/verify-payment';
import { describeFailure } from '@engulf/domain/errors/registry';
import { isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { eq } from 'drizzle-orm';
import type { EntryRow } from '../../entries/entry-answers.ts';
import { PAID_CLAIM_MS } from '../../entries/issue-ticket.ts';
import type { LobbyRow } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { entries, payments } from '../../platform/database/games.ts';
import { payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { users } from '../../platform/database/people.ts';
import { bountyOf, feesOf, payableOf, poolOf, treasuryOf } from '../ledger/accounts.ts';
import { post } from '../ledger/post.ts';

export type PaymentRow = typeof payments.$inferSelect;

/** A payment that is final on the chain. */
export type SettledPayment = {
  readonly payment: JoinPayment;
  readonly slot: bigint;
};

/**
 * Books a payment, once: as the bounty of the entry that waits for it, or else as a refund of what reached the
 * pool. To be called inside a database transaction.
 */
export async function acceptPayment(
  context: Context,
  tx: Database,
  lobby: LobbyRow,
  paymentId: string,
  { payment, slot }: SettledPayment,
): Promise<'granted' | 'refunded' | 'decided-before'> {
  const [row] = await tx.select().from(payments).where(eq(payments.id, paymentId)).for('update');
  if (!row || row.status === 'verified') return 'decided-before';
  const { stake, platformFee } = payment;
  await tx
    .update(payments)
    .set({
      status: 'verified',
      slot,
      stake,
      platformFee,
      failureCode: null,
      decidedAt: new Date(context.nowMs()),
    })
    .where(eq(payments.id, row.id));
  const entry = await waitingEntry(context, tx, lobby, row, payment);
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
    await seat(context, tx, entry, stake);
    return 'granted';
  }
  if (stake > 0n) await refund(context, tx, row, payoutId, stake);
  context.logger.info(
    { paymentId: row.id, lobbyId: lobby.id, signature: row.signature },
    'payment is refunded',
  );
  return 'refunded';
}

export async function refusePayment(
  context: Context,
  tx: Database,
  paymentId: string,
  refusal: PaymentRefusal,
): Promise<void> {
  const [row] = await tx.select().from(payments).where(eq(payments.id, paymentId)).for('update');
  if (row?.status !== 'verifying') return;
  await tx
    .update(payments)
    .set({ status: 'refused', failureCode: refusal.code, decidedAt: new Date(context.nowMs()) })
    .where(eq(payments.id, row.id));
  if (row.entryId === null) return;
  const [entry] = await tx.select().from(entries).where(eq(entries.id, row.entryId)).for('update');
  if (entry?.state !== 'payment_processing') return;
  await tx
    .update(entries)
    .set({
      state: 'payment_failed',
      stateExpiresAt: null,
      failure: { code: refusal.code, message: describeFailure(refusal).text },
    })
    .where(eq(entries.id, entry.id));
}

/** The entry this payment is for, if its seat is still held, its price is paid and its lobby still open. */
async function waitingEntry(
  context: Context,
  tx: Database,
  lobby: LobbyRow,
  row: PaymentRow,
  payment: JoinPayment,
): Promise<EntryRow | undefined> {
  if (row.entryId === null) return undefined;
  const [entry] = await tx.select().from(entries).where(eq(entries.id, row.entryId)).for('update');
  const isWaiting = entry?.state === 'created' || entry?.state === 'payment_processing';
  if (!entry || !isWaiting) return undefined;
  if (entry.entryFee === payment.entryFee && isLobbyOpen(lobby, context.nowMs())) return entry;
  await tx.update(entries).set({ state: 'expired', stateExpiresAt: null }).where(eq(entries.id, entry.id));
  return undefined;
}

async function seat(context: Context, tx: Database, entry: EntryRow, stake: bigint): Promise<void> {
  const stateExpiresAt = new Date(context.nowMs() + PAID_CLAIM_MS);
  await tx
    .update(entries)
    .set({ state: 'ticketSent', stake, stateExpiresAt })
    .where(eq(entries.id, entry.id));
}

async function refund(
  context: Context,
  tx: Database,
  row: PaymentRow,
  payoutId: string,
  amount: bigint,
): Promise<void> {
  const [user] = await tx.select().from(users).where(eq(users.walletAddress, row.wallet));
  await tx.insert(payouts).values({
    id: payoutId,
    lobbyId: row.lobbyId,
    paymentId: row.id,
    userId: user?.id ?? null,
    wallet: row.wallet,
    amount,
    isRefund: true,
    status: 'pending',
  });
  await context.jobs.nudge(tx, 'pay-lobby', row.lobbyId);
}

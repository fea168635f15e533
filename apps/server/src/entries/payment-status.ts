import {
  describeFailure,
  type ErrorCode,
  type Failure,
  failure,
  refuse,
} from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId, PaymentSessionId } from '@engulf/domain/ids/entity-ids';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, payments } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';
import type { PaymentStatusAnswer } from './entry-answers.ts';
import { advance } from './entry-states.ts';
import { issueTicket } from './tickets.ts';

/** The state of an entry's payment; once it is verified, the answer carries a ticket. */
export async function readPaymentStatus(
  context: Pick<Context, 'db' | 'keys' | 'traces' | 'nowMs'>,
  user: UserRow,
  paymentSessionId: PaymentSessionId,
): Promise<Result<PaymentStatusAnswer, Failure<'PAYMENT_SESSION_NOT_FOUND'>>> {
  return context.db.transaction(async (tx) => {
    const [entry] = await locking(tx).execute({ paymentSessionId, userId: user.id });
    if (!entry) return refuse('PAYMENT_SESSION_NOT_FOUND');
    switch (entry.state) {
      case 'created':
      case 'payment_processing':
        return ok({ status: 'payment_processing' });
      case 'ticketSent':
        return ok({ status: 'ticketSent', joinTicket: await issueTicket(context, tx, entry) });
      case 'payment_timeout':
      case 'expired':
      case 'refunding':
        // Paid before the seat was given up, or late: either way it is decided soon.
        if (await isBeingVerified(tx, entry)) return ok({ status: 'payment_processing' });
        return ok({
          status: 'payment_timeout',
          errorDetails: errorDetails(entry, failure('PAYMENT_TIMEOUT')),
        });
      case 'payment_failed':
        return ok({
          status: 'payment_failed',
          errorDetails: errorDetails(entry, failure('PAYMENT_VERIFICATION_FAILED')),
        });
      case 'playing':
        return ok({
          status: 'payment_failed',
          errorDetails: errorDetails(entry, failure('ACTIVE_SESSION_EXISTS')),
        });
      case 'ended':
        return ok({ status: 'payment_failed', errorDetails: errorDetails(entry, failure('SESSION_ENDED')) });
    }
  });
}

const locking = prepareOnce((db) => {
  const isOfSession = eq(entries.paymentSessionId, sql.placeholder('paymentSessionId'));
  const isTheirs = and(isOfSession, eq(entries.userId, sql.placeholder('userId')));
  return db.select().from(entries).where(isTheirs).for('update');
});

async function isBeingVerified(tx: Database, { id }: EntryRow): Promise<boolean> {
  const isUndecided = and(eq(payments.entryId, id), eq(payments.status, 'verifying'));
  return (await tx.select({ id: payments.id }).from(payments).where(isUndecided)).length > 0;
}

function errorDetails(entry: EntryRow, fallback: Failure): { error: ErrorCode; message: string } {
  const { code, message } = entry.failure ?? {
    code: fallback.code,
    message: describeFailure(fallback).text,
  };
  return { error: code, message };
}

/** The wallet did not pay, so the seat is free again. A payment that still arrives is refunded. */
export async function reportPaymentFailure(
  { db }: Pick<Context, 'db'>,
  user: UserRow,
  lobbyId: LobbyId,
): Promise<void> {
  await db.transaction(async (tx) => {
    const [entry] = await tx
      .select()
      .from(entries)
      .where(and(eq(entries.userId, user.id), eq(entries.lobbyId, lobbyId), eq(entries.state, 'created')))
      .for('update');
    if (entry) await advance(tx, entry, 'payment_failed', {});
  });
}

import {
  describeFailure,
  type ErrorCode,
  type Failure,
  failure,
  refuse,
} from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId, PaymentSessionId } from '@engulf/domain/ids/entity-ids';
import { and, eq } from 'drizzle-orm';
import type { UserRow } from '../accounts/user-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import type { EntryRow, PaymentStatusAnswer } from './entry-answers.ts';
import { issueTicket } from './issue-ticket.ts';

/** How the payment for an entry stands; once it is verified, with a ticket. */
export async function readPaymentStatus(
  context: Context,
  user: UserRow,
  paymentSessionId: PaymentSessionId,
): Promise<Result<PaymentStatusAnswer, Failure<'PAYMENT_SESSION_NOT_FOUND'>>> {
  return context.db.transaction(async (tx) => {
    const [entry] = await tx
      .select()
      .from(entries)
      .where(and(eq(entries.paymentSessionId, paymentSessionId), eq(entries.userId, user.id)))
      .for('update');
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
      case 'ended':
        return ok({ status: 'payment_failed', errorDetails: errorDetails(entry, failure('SESSION_ENDED')) });
    }
  });
}

function errorDetails(entry: EntryRow, otherwise: Failure): { error: ErrorCode; message: string } {
  const { code, message } = entry.failure ?? {
    code: otherwise.code,
    message: describeFailure(otherwise).text,
  };
  return { error: code, message };
}

/** The wallet did not pay: the seat is free again. A payment that arrives all the same is refunded. */
export async function reportPaymentFailure({ db }: Context, user: UserRow, lobbyId: LobbyId): Promise<void> {
  await db
    .update(entries)
    .set({ state: 'payment_failed', stateExpiresAt: null })
    .where(and(eq(entries.userId, user.id), eq(entries.lobbyId, lobbyId), eq(entries.state, 'created')));
}

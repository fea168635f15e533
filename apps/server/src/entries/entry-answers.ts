import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import type { AnswerOf } from '@engulf/protocol/http/call';
import type { joinLobby, readPaymentStatus, rejoinMatch } from '@engulf/protocol/http/join-lobby';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { Context } from '../platform/context.ts';
import type { EntryRow } from '../platform/database/games.ts';

export type JoinAnswer = AnswerOf<typeof joinLobby>;
export type RejoinAnswer = AnswerOf<typeof rejoinMatch>;
export type PaymentStatusAnswer = AnswerOf<typeof readPaymentStatus>;

export type SessionConflictFailure = Failure<
  'ACTIVE_SESSION_EXISTS' | 'EXISTING_SESSION_DETECTED' | 'SESSION_CONFLICT'
> & { readonly conflict: SessionConflict };

export function createdAnswer(entry: EntryRow): JoinAnswer {
  return { ...shared(entry, 'Pay the entry fee to take your seat.'), status: 'created', shouldPoll: false };
}

export function processingAnswer(entry: EntryRow): JoinAnswer {
  return {
    ...shared(entry, 'Verifying payment...'),
    status: 'payment_processing',
    shouldPoll: true,
    paymentSessionId: entry.paymentSessionId,
  };
}

export function ticketAnswer(entry: EntryRow, joinTicket: string): Omit<RejoinAnswer, 'baseGame'> {
  return { ...shared(entry, 'Your seat is ready.'), status: 'ticketSent', shouldPoll: false, joinTicket };
}

function shared(entry: EntryRow, message: string) {
  return { sessionId: entry.id, lobbyId: entry.lobbyId, entryFee: entry.entryFee.toString(), message };
}

/** How long a body without a connection stays in the arena, and its entry with it. */
const LEFT_BODY_SECONDS = 10;

export async function sessionConflict(
  { presence, nowMs }: Pick<Context, 'presence' | 'nowMs'>,
  entry: EntryRow,
): Promise<SessionConflictFailure> {
  const refusal = conflictFailure(entry);
  const room = entry.state === 'playing' ? await presence.read(entry.lobbyId) : undefined;
  const isDisconnected = room?.disconnected?.includes(entry.id) ?? false;
  const isExpelled = room?.expelled?.includes(entry.id) ?? false;
  const isPaymentSession = entry.state === 'payment_processing';
  const { id: sessionId, lobbyId, paymentSessionId } = entry;
  const msLeft = entry.stateExpiresAt === null ? 0 : entry.stateExpiresAt.getTime() - nowMs();
  return {
    ...refusal,
    conflict: {
      message: describeFailure(refusal).text,
      instruction: INSTRUCTIONS[refusal.code],
      ...(isDisconnected && DISCONNECTED),
      ...(isExpelled && EXPELLED),
      sessionTTL: entry.state === 'playing' ? LEFT_BODY_SECONDS : Math.max(1, Math.ceil(msLeft / 1000)),
      isPaymentSession,
      sessionId,
      sessionStatus: entry.state,
      isDisconnected,
      ...(isPaymentSession && { payment: { sessionId, lobbyId, paymentSessionId } }),
    },
  };
}

function conflictFailure(
  entry: EntryRow,
): Failure<'ACTIVE_SESSION_EXISTS' | 'EXISTING_SESSION_DETECTED' | 'SESSION_CONFLICT'> {
  if (entry.state === 'playing') return failure('ACTIVE_SESSION_EXISTS');
  return entry.state === 'payment_processing'
    ? failure('SESSION_CONFLICT')
    : failure('EXISTING_SESSION_DETECTED');
}

const OR_WAIT = 'To enter another one, wait until your cell has left the arena: ten seconds at most.';

const DISCONNECTED = {
  message: 'Your match is still running, but no window is connected to it.',
  instruction: `Return now to play on. ${OR_WAIT}`,
};

const EXPELLED = {
  message: 'You were removed from your match, and cannot return to it.',
  instruction: OR_WAIT,
};

const INSTRUCTIONS = {
  ACTIVE_SESSION_EXISTS: 'Return to your match here, or continue in the window where you are playing.',
  EXISTING_SESSION_DETECTED: 'Enter the lobby you have a seat in, or wait until the seat is given up.',
  SESSION_CONFLICT: 'Continue here, or in the window where you paid. You get a seat or a refund.',
} as const;

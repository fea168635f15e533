import { describeFailure, ERRORS, type Failure, failure } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import type { AnswerOf, BodyOf } from '@engulf/protocol/http/call';
import {
  type joinLobby,
  PAYMENT_POLL,
  type readPaymentStatus,
  type validateLobbyCode,
} from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { ApiFailure } from '../../shared/api/call-api.ts';
import type { BrowserStorage } from '../../shared/storage.ts';
import { judgeJoinFailure } from './join-failure.ts';

/** Between the wallet's answer and reading the stored signature. */
const AFTER_WALLET_PAYMENT_MS = 1_000;
const BEFORE_CLOSING_ON_FAILURE_MS = 1_000;

export type EntryProgress =
  | { readonly step: 'creating' }
  | {
      readonly step: 'paying' | 'confirming' | 'verifying' | 'joining';
      readonly signature?: string | undefined;
    }
  | { readonly step: 'timedOut' | 'failed' };

export type Notice = { readonly title: string; readonly text: string };

export type EntryEnd =
  | { readonly kind: 'play'; readonly sessionId: string; readonly joinTicket: string }
  | { readonly kind: 'conflict'; readonly conflict: SessionConflict }
  | {
      readonly kind: 'refused';
      readonly notice?: Notice | undefined;
      readonly isPopupClosing: boolean;
      readonly isCodeWrong?: boolean;
    };

/** What a wallet payment may end with besides a signature. */
export type PaymentRefusal = Notice & { readonly isCancelled: boolean };

export type EntryDeps = {
  join: (body: BodyOf<typeof joinLobby>) => Promise<Result<AnswerOf<typeof joinLobby>, ApiFailure>>;
  checkCode: (
    body: BodyOf<typeof validateLobbyCode>,
  ) => Promise<Result<AnswerOf<typeof validateLobbyCode>, ApiFailure>>;
  readStatus: (paymentSessionId: string) => Promise<Result<AnswerOf<typeof readPaymentStatus>, ApiFailure>>;
  reportFailure: (lobbyId: string) => Promise<unknown>;
  /** Has the wallet pay; tells the signature as soon as there is one, and answers it when the payment is final. */
  pay: (lobby: Lobby, onSigned: (signature: string) => void) => Promise<Result<string, PaymentRefusal>>;
  storage: BrowserStorage;
  sleep: (ms: number) => Promise<void>;
};

/** How often a claim of a payment is sent when the network fails: the money is on its way, giving up is no option. */
const CLAIM_ATTEMPTS = 5;

/** One press of the main button, from the seat to the ticket. */
export async function runEntry(
  { lobby, lobbyCode }: { lobby: Lobby; lobbyCode: string | undefined },
  deps: EntryDeps,
  report: (progress: EntryProgress) => void,
): Promise<EntryEnd> {
  const { storage, sleep } = deps;
  const code = lobbyCode === undefined ? {} : { lobbyCode };

  report({ step: 'creating' });
  if (lobbyCode !== undefined) {
    const checked = await deps.checkCode({ lobbyCode, lobbyId: lobby.id });
    if (!checked.ok) return judgeJoinFailure(checked.error);
    if (!checked.value.valid) return { ...refuse(failure('INVALID_LOBBY_CODE')), isCodeWrong: true };
  }
  const seat = await deps.join({ selectedLobbyId: lobby.id, ...code });
  if (!seat.ok) return judgeJoinFailure(seat.error);
  if (seat.value.status === 'ticketSent') return play(seat.value);
  if (seat.value.status === 'payment_processing') return verify(seat.value);

  report({ step: 'paying' });
  storage.write('sessionId', seat.value.sessionId);
  storage.write('deposit', lobby.fee);
  const paid = await deps.pay(lobby, (signature) => {
    storage.write('txSignature', signature);
    report({ step: 'paying', signature });
  });
  if (!paid.ok) return refusePayment(paid.error);

  storage.write('txSignature', paid.value);
  await sleep(AFTER_WALLET_PAYMENT_MS);
  const signature = storage.read('txSignature') ?? paid.value;
  if (signature === '') return refusePayment(describe(failure('TRANSACTION_SIGNATURE_MISSING')));
  report({ step: 'confirming', signature });
  return claim(signature);

  async function claim(transactionHash: string): Promise<EntryEnd> {
    for (let attempt = 1; ; attempt++) {
      const answer = await deps.join({
        selectedLobbyId: lobby.id,
        transactionHash,
        isPaymentConfirmation: true,
        ...code,
      });
      if (answer.ok && answer.value.status === 'ticketSent') return play(answer.value);
      if (answer.ok && answer.value.status === 'payment_processing')
        return verify(answer.value, transactionHash);
      if (answer.ok) return refuse(failure('UNEXPECTED_STATUS', { status: answer.value.status }), true);
      if (answer.error.httpStatus !== null || attempt === CLAIM_ATTEMPTS)
        return judgeJoinFailure(answer.error);
      await sleep(attempt * 1_000);
    }
  }

  async function verify(
    session: { sessionId: string; paymentSessionId: string },
    transactionHash?: string,
  ): Promise<EntryEnd> {
    storage.write('sessionId', session.sessionId);
    storage.write('paymentSessionId', session.paymentSessionId);
    report({ step: 'verifying', signature: transactionHash });
    for (let attempt = 1; attempt <= PAYMENT_POLL.maxAttempts; attempt++) {
      if (attempt > 1) await sleep(PAYMENT_POLL.everyMs);
      const answer = await deps.readStatus(session.paymentSessionId);
      // A poll that does not get through says nothing about the payment.
      if (!answer.ok) {
        if (answer.error.httpStatus === null || answer.error.httpStatus >= 500) continue;
        return judgeJoinFailure(answer.error);
      }
      switch (answer.value.status) {
        case 'ticketSent':
          report({ step: 'joining', signature: transactionHash });
          return play({ sessionId: session.sessionId, joinTicket: answer.value.joinTicket });
        case 'payment_timeout':
          return giveUp('timedOut', ERRORS.PAYMENT_TIMEOUT.text, answer.value.errorDetails);
        case 'payment_failed':
          return giveUp('failed', ERRORS.PAYMENT_VERIFICATION_FAILED.text, answer.value.errorDetails);
      }
    }
    return refuse(failure('PAYMENT_POLLING_TIMEOUT'), true);
  }

  function play({ sessionId, joinTicket }: { sessionId: string; joinTicket: string }): EntryEnd {
    storage.write('sessionId', sessionId);
    storage.write('joinTicket', joinTicket);
    storage.write('lobbyId', lobby.id);
    return { kind: 'play', sessionId, joinTicket };
  }

  async function giveUp(
    step: 'timedOut' | 'failed',
    text: string,
    details: { message: string },
  ): Promise<EntryEnd> {
    report({ step });
    await sleep(BEFORE_CLOSING_ON_FAILURE_MS);
    const notice = { title: ERRORS.PAYMENT_FAILED.title, text: details.message || text };
    return { kind: 'refused', notice, isPopupClosing: true };
  }

  async function refusePayment(refusal: Notice & { isCancelled?: boolean }): Promise<EntryEnd> {
    storage.remove('txSignature');
    await deps.reportFailure(lobby.id);
    const { title, text, isCancelled = false } = refusal;
    return { kind: 'refused', notice: { title, text }, isPopupClosing: !isCancelled };
  }
}

function refuse(refusal: Failure, isPopupClosing = false): Extract<EntryEnd, { kind: 'refused' }> {
  return { kind: 'refused', notice: describe(refusal), isPopupClosing };
}

function describe(refusal: Failure): Notice {
  const { title, text } = describeFailure(refusal);
  return { title, text };
}

import { describeFailure, ERRORS, failure } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import type { AnswerOf, BodyOf } from '@engulf/protocol/http/call';
import type { joinLobby, readPaymentStatus, validateLobbyCode } from '@engulf/protocol/http/join-lobby';
import { PAYMENT_POLL } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import type { ApiFailure } from '../../shared/api/call-api.ts';
import type { EntryRecord } from '../../shared/entry-record.ts';
import { type EntryRefusal, judgeJoinFailure, type Notice, refused, wrongCode } from './join-failure.ts';

const AFTER_WALLET_PAYMENT_MS = 1_000;
const BEFORE_CLOSING_ON_FAILURE_MS = 1_000;

export type EntryProgress =
  | { readonly step: 'creating' }
  | {
      readonly step: 'paying' | 'confirming' | 'verifying' | 'joining';
      readonly signature?: string | undefined;
    }
  | { readonly step: 'timedOut' | 'failed' };

type EntryEnd = { readonly kind: 'play'; readonly joinTicket: string } | EntryRefusal;

export type PaymentRefusal = Notice & { readonly isCancelled: boolean };

type JoinResult = Result<AnswerOf<typeof joinLobby>, ApiFailure>;

export type EntryDeps = {
  join: (body: BodyOf<typeof joinLobby>) => Promise<JoinResult>;
  checkCode: (
    body: BodyOf<typeof validateLobbyCode>,
  ) => Promise<Result<AnswerOf<typeof validateLobbyCode>, ApiFailure>>;
  readStatus: (paymentSessionId: string) => Promise<Result<AnswerOf<typeof readPaymentStatus>, ApiFailure>>;
  /** Waits until the server says that the payment is decided, or so long if it says nothing. */
  awaitNews: (paymentSessionId: string, ms: number) => Promise<void>;
  reportFailure: (lobbyId: string) => Promise<unknown>;
  /** Has the wallet pay. Reports the signature as soon as there is one and returns it once the payment is final. */
  pay: (lobby: Lobby, onSigned: (signature: string) => void) => Promise<Result<string, PaymentRefusal>>;
  record: EntryRecord;
  sleep: (ms: number) => Promise<void>;
};

/** The money is on its way by then, so a claim is retried when the network fails. */
const CLAIM_ATTEMPTS = 5;

/** One press of the main button: seat, payment, claim, verification, ticket. A free lobby goes from seat to ticket. */
export async function runEntry(
  { lobby, lobbyCode }: { lobby: Lobby; lobbyCode: string | undefined },
  deps: EntryDeps,
  report: (progress: EntryProgress) => void,
): Promise<EntryEnd> {
  const { record, sleep } = deps;
  const seatRequest = { selectedLobbyId: lobby.id, ...(lobbyCode !== undefined && { lobbyCode }) };

  report({ step: 'creating' });
  if (lobbyCode !== undefined) {
    const checked = await deps.checkCode({ lobbyCode, lobbyId: lobby.id });
    if (!checked.ok) return judgeJoinFailure(checked.error);
    if (!checked.value.valid) return wrongCode();
  }
  const seat = await deps.join(seatRequest);
  if (!seat.ok) return judgeJoinFailure(seat.error);
  record.write('sessionId', seat.value.sessionId);
  if (seat.value.status === 'ticketSent') return play(seat.value.joinTicket);
  if (seat.value.status === 'payment_processing') return verify(seat.value.paymentSessionId);

  report({ step: 'paying' });
  record.write('deposit', lobby.fee);
  const paid = await deps.pay(lobby, (signed) => {
    record.write('signature', signed);
    report({ step: 'paying', signature: signed });
  });
  if (!paid.ok) return abandonPayment(paid.error);
  const signature = paid.value;
  if (signature === '') return abandonPayment(describeFailure(failure('TRANSACTION_SIGNATURE_MISSING')));
  record.write('signature', signature);
  await sleep(AFTER_WALLET_PAYMENT_MS);

  report({ step: 'confirming', signature });
  const claimed = await claim(signature);
  if (!claimed.ok) return judgeJoinFailure(claimed.error);
  record.write('sessionId', claimed.value.sessionId);
  const { status } = claimed.value;
  if (status === 'ticketSent') return play(claimed.value.joinTicket);
  if (status === 'payment_processing') return verify(claimed.value.paymentSessionId, signature);
  return refused(describeFailure(failure('UNEXPECTED_STATUS', { status })), true);

  async function claim(paidWith: string): Promise<JoinResult> {
    for (let attempt = 1; ; attempt++) {
      const answer = await deps.join({
        ...seatRequest,
        transactionHash: paidWith,
        isPaymentConfirmation: true,
      });
      const isUnanswered = !answer.ok && answer.error.httpStatus === null;
      if (!isUnanswered || attempt === CLAIM_ATTEMPTS) return answer;
      await sleep(attempt * 1_000);
    }
  }

  async function verify(paymentSessionId: string, paidWith?: string): Promise<EntryEnd> {
    record.write('paymentSessionId', paymentSessionId);
    report({ step: 'verifying', signature: paidWith });
    for (let attempt = 1; attempt <= PAYMENT_POLL.maxAttempts; attempt++) {
      if (attempt > 1) await deps.awaitNews(paymentSessionId, PAYMENT_POLL.everyMs);
      const answer = await deps.readStatus(paymentSessionId);
      if (!answer.ok) {
        // A poll that did not get through says nothing about the payment.
        if (answer.error.httpStatus === null || answer.error.httpStatus >= 500) continue;
        return judgeJoinFailure(answer.error);
      }
      switch (answer.value.status) {
        case 'ticketSent':
          report({ step: 'joining', signature: paidWith });
          return play(answer.value.joinTicket);
        case 'payment_timeout':
          return giveUp('timedOut', answer.value.errorDetails.message || ERRORS.PAYMENT_TIMEOUT.text);
        case 'payment_failed':
          return giveUp(
            'failed',
            answer.value.errorDetails.message || ERRORS.PAYMENT_VERIFICATION_FAILED.text,
          );
      }
    }
    return refused(describeFailure(failure('PAYMENT_POLLING_TIMEOUT')), true);
  }

  async function giveUp(step: 'timedOut' | 'failed', text: string): Promise<EntryEnd> {
    report({ step });
    await sleep(BEFORE_CLOSING_ON_FAILURE_MS);
    return refused({ title: ERRORS.PAYMENT_FAILED.title, text }, true);
  }

  /** Frees the seat. After a cancelled signature the popup stays open for another try. */
  async function abandonPayment(refusal: Notice & { isCancelled?: boolean }): Promise<EntryEnd> {
    record.remove('signature');
    await deps.reportFailure(lobby.id);
    return refused(refusal, refusal.isCancelled !== true);
  }

  function play(joinTicket: string): EntryEnd {
    record.write('joinTicket', joinTicket);
    record.write('lobbyId', lobby.id);
    return { kind: 'play', joinTicket };
  }
}

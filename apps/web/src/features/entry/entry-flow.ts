import { describeFailure, ERRORS, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import type { AnswerOf, BodyOf } from '@engulf/protocol/http/call';
import type { joinLobby, readPaymentStatus, validateLobbyCode } from '@engulf/protocol/http/join-lobby';
import { PAYMENT_POLL } from '@engulf/protocol/http/join-lobby';
import type { Lobby } from '@engulf/protocol/lobby';
import { type ApiFailure, isUnanswered } from '../../shared/api/call-api.ts';
import type { EntryRecord, OpenPayment, UnclaimedPayments } from '../../shared/entry-record.ts';
import { type EntryRefusal, judgeJoinFailure, type Notice, refused, wrongCode } from './join-failure.ts';

const AFTER_WALLET_PAYMENT_MS = 1_000;
const PAYMENT_VERIFIED_SHOWN_MS = 900;
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
  /** Waits until the server reports that the payment is decided, or until this time has passed. */
  awaitNews: (paymentSessionId: string, ms: number) => Promise<void>;
  reportFailure: (lobbyId: string) => Promise<unknown>;
  /** Has the wallet pay. Reports the signature as soon as there is one and returns it once the payment is final. */
  pay: (lobby: Lobby, onSigned: (signature: string) => void) => Promise<Result<string, PaymentRefusal>>;
  record: EntryRecord;
  unclaimed: UnclaimedPayments;
  sleep: (ms: number) => Promise<void>;
};

/**
 * The money is on its way by then, so a claim is retried while the server cannot be reached. More often than a browser
 * has connections, all of which may be dead.
 */
const CLAIM_ATTEMPTS = 8;
const MAX_CLAIM_GAP_MS = 3_000;

const { title, text } = ERRORS.PAYMENT_FAILED;
const paymentFailed: Notice = { title, text };

type EntryRequest = {
  readonly lobby: Lobby;
  readonly lobbyCode: string | undefined;
  /** A payment to continue; no other payment is made then. */
  readonly openPayment?: OpenPayment | undefined;
};

/** One press of the main button: seat, payment, claim, verification, ticket. A free lobby goes from seat to ticket. */
export async function runEntry(
  { lobby, lobbyCode, openPayment }: EntryRequest,
  deps: EntryDeps,
  report: (progress: EntryProgress) => void,
): Promise<EntryEnd> {
  const { record, unclaimed, sleep } = deps;
  const seatRequest = { selectedLobbyId: lobby.id, ...(lobbyCode !== undefined && { lobbyCode }) };

  report({ step: 'creating' });
  const paidBefore = unclaimed.read(lobby.id);
  if (paidBefore !== undefined) return claim(paidBefore);
  if (openPayment) return resume(openPayment);
  if (lobbyCode !== undefined) {
    const checked = await deps.checkCode({ lobbyCode, lobbyId: lobby.id });
    if (!checked.ok) return judgeJoinFailure(checked.error);
    if (!checked.value.valid) return wrongCode();
  }
  const seat = await deps.join(seatRequest);
  if (!seat.ok) return judgeJoinFailure(seat.error);
  rememberSeat(seat.value.sessionId);
  if (seat.value.status === 'ticketSent') return play(seat.value.joinTicket);
  if (seat.value.status === 'payment_processing') return verify(seat.value.paymentSessionId);

  // It was changed at this moment: the popup shows the new one before anything is signed.
  if (seat.value.entryFee !== lobby.entryFee)
    return abandonPayment({ ...describeFailure(failure('PROGRAM_ENTRY_FEE_CHANGED')), isCancelled: true });

  report({ step: 'paying' });
  record.write('deposit', lobby.fee);
  const paying = deps.pay(lobby, (signed) => {
    remember(signed);
    report({ step: 'paying', signature: signed });
  });
  // For example because its code could not be loaded.
  const paid = await paying.catch(() => err({ ...paymentFailed, isCancelled: false }));
  if (!paid.ok) return abandonPayment(paid.error);
  const signature = paid.value;
  if (signature === '') return abandonPayment(describeFailure(failure('TRANSACTION_SIGNATURE_MISSING')));
  remember(signature);
  await sleep(AFTER_WALLET_PAYMENT_MS);
  return claim(signature);

  function remember(signed: string): void {
    record.write('signature', signed);
    unclaimed.write(lobby.id, signed);
  }

  function rememberSeat(sessionId: string): void {
    record.write('sessionId', sessionId);
    record.write('lobbyId', lobby.id);
  }

  async function resume({ sessionId, paymentSessionId }: OpenPayment): Promise<EntryEnd> {
    if (paymentSessionId === undefined) return { kind: 'refused', closesPopup: true };
    rememberSeat(sessionId);
    return verify(paymentSessionId);
  }

  async function claim(signature: string): Promise<EntryEnd> {
    report({ step: 'confirming', signature });
    const claimed = await sendClaim(signature);
    if (!claimed.ok) {
      if (isDecided(claimed.error)) unclaimed.remove(lobby.id);
      return judgeJoinFailure(claimed.error);
    }
    unclaimed.remove(lobby.id);
    rememberSeat(claimed.value.sessionId);
    const { status } = claimed.value;
    if (status === 'ticketSent') return playPaid(claimed.value.joinTicket, signature);
    if (status === 'payment_processing') return verify(claimed.value.paymentSessionId, signature);
    return refused(describeFailure(failure('UNEXPECTED_STATUS', { status })), true);
  }

  async function sendClaim(transactionHash: string): Promise<JoinResult> {
    for (let attempt = 1; ; attempt++) {
      const answer = await deps.join({ ...seatRequest, transactionHash, isPaymentConfirmation: true });
      if (answer.ok || !isUnanswered(answer.error) || attempt === CLAIM_ATTEMPTS) return answer;
      await sleep(Math.min(attempt * 1_000, MAX_CLAIM_GAP_MS));
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
        if (isUnanswered(answer.error)) continue;
        return judgeJoinFailure(answer.error);
      }
      switch (answer.value.status) {
        case 'ticketSent':
          return playPaid(answer.value.joinTicket, paidWith);
        case 'payment_timeout':
          return giveUp('timedOut', answer.value.errorDetails.message || ERRORS.PAYMENT_TIMEOUT.text);
        case 'payment_failed':
          // It did not fail: another window has taken the seat.
          if (answer.value.errorDetails.error === 'ACTIVE_SESSION_EXISTS')
            return refused(ERRORS.ACTIVE_SESSION_EXISTS, true);
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
    unclaimed.remove(lobby.id);
    await deps.reportFailure(lobby.id);
    return refused(refusal, refusal.isCancelled !== true);
  }

  /** Long enough to be read: the player has paid and wants to know that it arrived. */
  async function playPaid(joinTicket: string, paidWith: string | undefined): Promise<EntryEnd> {
    const entered = play(joinTicket);
    report({ step: 'joining', signature: paidWith });
    await sleep(PAYMENT_VERIFIED_SHOWN_MS);
    return entered;
  }

  function play(joinTicket: string): EntryEnd {
    record.write('joinTicket', joinTicket);
    return { kind: 'play', joinTicket };
  }
}

/** These say nothing about the payment: the same claim may be accepted later. */
const UNDECIDED = ['RATE_LIMITED', 'UNAUTHENTICATED', 'HTTP_ERROR', 'REQUEST_FAILED'];

function isDecided(refusal: ApiFailure): boolean {
  return !isUnanswered(refusal) && !UNDECIDED.includes(refusal.code);
}

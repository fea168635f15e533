import { ERRORS, isErrorCode } from '@engulf/domain/errors/registry';
import { sessionConflictBodySchema } from '@engulf/protocol/session-conflict';
import type { ApiFailure } from '../../shared/api/call-api.ts';
import type { EntryEnd } from './entry-flow.ts';

/** After these there is nothing left to try in this popup. */
const CLOSING_CODES: readonly string[] = [
  'DUPLICATE_TRANSACTION',
  'WALLET_ADDRESS_MISMATCH',
  'PAYMENT_DESTINATION_VERIFICATION_FAILED',
  'TRANSACTION_FAILED',
];

/** What a refused join call means for the popup. */
export function judgeJoinFailure(failure: ApiFailure): Exclude<EntryEnd, { kind: 'play' }> {
  const conflict = sessionConflictBodySchema.safeParse(failure.body);
  if (conflict.success) return { kind: 'conflict', conflict: conflict.data };
  const { code, message } = failure;
  if (code === 'INVALID_LOBBY_CODE' || /invalid lobby code/i.test(message)) {
    const { title, text } = ERRORS.INVALID_LOBBY_CODE;
    return { kind: 'refused', notice: { title, text }, isPopupClosing: false, isCodeWrong: true };
  }
  if (code === 'LOBBY_FULL') {
    const { title, text } = ERRORS.LOBBY_FULL;
    return { kind: 'refused', notice: { title, text }, isPopupClosing: false };
  }
  if (isErrorCode(code)) {
    return {
      kind: 'refused',
      notice: { title: ERRORS[code].title, text: message },
      isPopupClosing: CLOSING_CODES.includes(code),
    };
  }
  // The wallet's own refusal has been shown already when a server talks about the payment.
  if (/payment/i.test(message)) return { kind: 'refused', isPopupClosing: false };
  const { title, text } = ERRORS.JOIN_FAILED;
  return { kind: 'refused', notice: { title, text: message || text }, isPopupClosing: false };
}

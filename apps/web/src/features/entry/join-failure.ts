import { describeFailure, ERRORS, type Failure, failure, isErrorCode } from '@engulf/domain/errors/registry';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { sessionConflictBodySchema } from '@engulf/protocol/session-conflict';
import type { ApiFailure } from '../../shared/api/call-api.ts';

export type Notice = { readonly title: string; readonly text: string };

/** Why an entry ended without a ticket, and what the popup does about it. */
export type EntryRefusal =
  | { readonly kind: 'conflict'; readonly conflict: SessionConflict }
  | {
      readonly kind: 'refused';
      readonly notice?: Notice | undefined;
      readonly closesPopup: boolean;
      readonly isCodeWrong?: boolean;
      /** A limit that the player has set. */
      readonly isOwnLimit?: boolean;
    };

/** Decides by the error code; messages decide only where the specification says so. */
export function judgeJoinFailure({ code, message, body }: ApiFailure): EntryRefusal {
  switch (code) {
    case 'ACTIVE_SESSION_EXISTS':
    case 'EXISTING_SESSION_DETECTED':
    case 'SESSION_CONFLICT': {
      const conflict = sessionConflictBodySchema.safeParse(body);
      if (conflict.success) return { kind: 'conflict', conflict: conflict.data };
      break;
    }
    case 'DUPLICATE_TRANSACTION':
    case 'WALLET_ADDRESS_MISMATCH':
    case 'PAYMENT_DESTINATION_VERIFICATION_FAILED':
    case 'TRANSACTION_FAILED':
      // Trying again with the same payment would fail again.
      return refused({ title: ERRORS[code].title, text: message }, true);
    case 'REQUEST_FAILED': {
      const status = (body as { status?: unknown } | null | undefined)?.status;
      if (typeof status === 'string') return refused(describeFailure(unexpected(status)), true);
      break;
    }
    case 'UNAUTHENTICATED':
      return refused(ERRORS.USER_NOT_FOUND, true);
    case 'LOBBY_FULL':
      return refused(ERRORS.LOBBY_FULL);
    case 'INVALID_LOBBY_CODE':
      return wrongCode();
    case 'ON_A_BREAK':
    case 'DEPOSIT_LIMIT_REACHED':
      return {
        kind: 'refused',
        notice: { title: ERRORS[code].title, text: message },
        closesPopup: false,
        isOwnLimit: true,
      };
    case 'ENTRY_LIMIT_REACHED': {
      const { title, text } = ERRORS.ENTRY_LIMIT_REACHED;
      return refused({ title, text: message || text });
    }
  }
  if (/invalid lobby code/i.test(message)) return wrongCode();
  if (isErrorCode(code)) return refused({ title: ERRORS[code].title, text: message });
  // Whoever has paid must not be left without a word.
  if (/payment/i.test(message)) return refused({ title: ERRORS.PAYMENT_FAILED.title, text: message });
  const { title, text } = ERRORS.JOIN_FAILED;
  return refused({ title, text: message || text });
}

/** An answer with a status that we do not know, or that lacks what its status promises. */
function unexpected(status: string): Failure {
  if (status === 'payment_processing') return failure('PAYMENT_SESSION_ID_MISSING');
  return failure('UNEXPECTED_STATUS', { status });
}

export function refused({ title, text }: Notice, closesPopup = false): EntryRefusal {
  return { kind: 'refused', notice: { title, text }, closesPopup };
}

export function wrongCode(): EntryRefusal {
  const { title, text } = ERRORS.INVALID_LOBBY_CODE;
  return { kind: 'refused', notice: { title, text }, closesPopup: false, isCodeWrong: true };
}

import { describe, expect, test } from 'vitest';
import type { ApiFailure } from '../../shared/api/call-api.ts';
import { judgeJoinFailure } from './join-failure.ts';

const failed = (code: string, message = 'words', body: object = {}): ApiFailure => ({
  code,
  message,
  httpStatus: 409,
  body: { error: code, message, ...body },
});

describe('judgeJoinFailure', () => {
  test.each(['ACTIVE_SESSION_EXISTS', 'EXISTING_SESSION_DETECTED', 'SESSION_CONFLICT'])(
    'hands %s to the conflict popup',
    (code) => {
      const conflict = {
        instruction: 'wait',
        sessionTTL: 42,
        isPaymentSession: false,
        sessionStatus: 'playing',
      };
      expect(judgeJoinFailure(failed(code, 'busy', conflict))).toMatchObject({
        kind: 'conflict',
        conflict: { message: 'busy', sessionTTL: 42 },
      });
    },
  );

  test.each([
    'DUPLICATE_TRANSACTION',
    'WALLET_ADDRESS_MISMATCH',
    'PAYMENT_DESTINATION_VERIFICATION_FAILED',
    'TRANSACTION_FAILED',
  ])('closes the popup after %s', (code) => {
    expect(judgeJoinFailure(failed(code))).toMatchObject({ isPopupClosing: true, notice: { text: 'words' } });
  });

  test('says what the catalogue says', () => {
    expect(judgeJoinFailure(failed('LOBBY_FULL'))).toMatchObject({
      notice: { title: 'Lobby Full', text: 'This lobby is currently at maximum capacity' },
    });
    expect(judgeJoinFailure(failed('X', 'Invalid lobby code given'))).toMatchObject({
      notice: { title: 'Invalid Lobby Code', text: 'The lobby code you entered is incorrect.' },
      isCodeWrong: true,
    });
    expect(judgeJoinFailure(failed('ENTRY_LIMIT_REACHED', 'Three a day'))).toMatchObject({
      notice: { title: 'Entry Limit Reached', text: 'Three a day' },
    });
    expect(judgeJoinFailure(failed('NEW_CODE', ''))).toMatchObject({
      notice: { title: 'Error', text: 'Failed to join lobby. Please try again.' },
    });
  });

  test('stays silent about a payment that a newer server complains of', () => {
    expect(judgeJoinFailure(failed('NEW_CODE', 'payment missing'))).toEqual({
      kind: 'refused',
      isPopupClosing: false,
    });
  });
});

import { describe, expect, test } from 'vitest';
import type { ApiFailure } from '../../shared/api/call-api.ts';
import { judgeJoinFailure } from './join-failure.ts';

const failed = (code: string, message = 'words', body: object = {}): ApiFailure => ({
  code,
  message,
  httpStatus: 409,
  body: { error: code, message, ...body },
});

const conflict = {
  instruction: 'wait',
  sessionTTL: 42,
  sessionId: 's1',
  isPaymentSession: false,
  sessionStatus: 'playing',
};

describe('a refused join call', () => {
  test.each(['ACTIVE_SESSION_EXISTS', 'EXISTING_SESSION_DETECTED', 'SESSION_CONFLICT'])(
    '%s opens the conflict popup',
    (code) => {
      expect(judgeJoinFailure(failed(code, 'busy', conflict))).toMatchObject({
        kind: 'conflict',
        conflict: { message: 'busy', sessionTTL: 42 },
      });
    },
  );

  test('an answer that makes no sense names its status', () => {
    const unread = (body: unknown): ApiFailure => ({
      code: 'REQUEST_FAILED',
      message: 'Request failed',
      httpStatus: 200,
      body,
    });
    const textOf = (body: unknown) => {
      const end = judgeJoinFailure(unread(body));
      return end.kind === 'refused' && end.notice?.text;
    };
    expect(textOf({ status: 'queued' })).toBe('Unexpected status: queued');
    expect(textOf({ status: 'payment_processing' })).toBe('No payment session ID received');
    for (const body of [undefined, null, {}, { status: 7 }, 'text'])
      expect(textOf(body)).toBe('Request failed');
  });

  test('a conflict without its details is a plain refusal', () => {
    expect(judgeJoinFailure(failed('SESSION_CONFLICT', 'busy'))).toMatchObject({
      kind: 'refused',
      notice: { text: 'busy' },
    });
  });

  test('another code with the details of a conflict is not a conflict', () => {
    expect(judgeJoinFailure(failed('LOBBY_FULL', 'full', conflict))).toMatchObject({ kind: 'refused' });
  });

  test.each([
    'DUPLICATE_TRANSACTION',
    'WALLET_ADDRESS_MISMATCH',
    'PAYMENT_DESTINATION_VERIFICATION_FAILED',
    'TRANSACTION_FAILED',
  ])('%s closes the popup', (code) => {
    expect(judgeJoinFailure(failed(code))).toMatchObject({ closesPopup: true, notice: { text: 'words' } });
  });

  test('LOBBY_FULL shows the catalogue text', () => {
    expect(judgeJoinFailure(failed('LOBBY_FULL'))).toMatchObject({
      notice: { title: 'Lobby Full', text: 'This lobby is currently at maximum capacity' },
      closesPopup: false,
    });
  });

  test.each([
    ['the code', failed('INVALID_LOBBY_CODE')],
    ['the message', failed('NEW_CODE', 'Invalid lobby code given')],
  ])('a wrong lobby code is recognised by %s', (_by, failure) => {
    expect(judgeJoinFailure(failure)).toMatchObject({
      notice: { title: 'Invalid Lobby Code', text: 'The lobby code you entered is incorrect.' },
      isCodeWrong: true,
    });
  });

  test.each([
    ['Three a day', 'Three a day'],
    ['', 'You have reached the maximum number of entries for this lobby.'],
  ])('ENTRY_LIMIT_REACHED with message %j shows %j', (message, text) => {
    expect(judgeJoinFailure(failed('ENTRY_LIMIT_REACHED', message))).toMatchObject({
      notice: { title: 'Entry Limit Reached', text },
    });
  });

  test.each(['ON_A_BREAK', 'DEPOSIT_LIMIT_REACHED'])('%s is a limit of the player', (code) => {
    expect(judgeJoinFailure(failed(code, 'until then'))).toMatchObject({
      notice: { text: 'until then' },
      closesPopup: false,
      isOwnLimit: true,
    });
  });

  test.each([
    ['', 'Failed to join lobby. Please try again.'],
    ['Come back later', 'Come back later'],
  ])('an unknown code with message %j shows %j', (message, text) => {
    expect(judgeJoinFailure(failed('NEW_CODE', message))).toMatchObject({ notice: { title: 'Error', text } });
  });

  test('an unknown code that mentions the payment is shown as a payment that failed', () => {
    expect(judgeJoinFailure(failed('NEW_CODE', 'payment missing'))).toEqual({
      kind: 'refused',
      notice: { title: 'Payment Failed', text: 'payment missing' },
      closesPopup: false,
    });
  });
});

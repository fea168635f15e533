import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  describeFailure,
  ERRORS,
  type ErrorCode,
  type Failure,
  failure,
  isErrorCode,
  programErrorCode,
  refuse,
} from './registry.ts';

/** Every code that was ever released. Append new codes here; never remove one. */
const RELEASED = `
NETWORK_ERROR REQUEST_FAILED HTTP_ERROR UNAUTHENTICATED SIGN_IN_REFUSED FORBIDDEN INVALID_REQUEST NOT_FOUND
PAYLOAD_TOO_LARGE RATE_LIMITED REGION_BLOCKED BETA_CLOSED MAINTENANCE INTERNAL_ERROR

ACTIVE_SESSION_EXISTS EXISTING_SESSION_DETECTED SESSION_CONFLICT DUPLICATE_TRANSACTION WALLET_ADDRESS_MISMATCH
PAYMENT_DESTINATION_VERIFICATION_FAILED TRANSACTION_FAILED LOBBY_FULL LOBBY_OFFLINE LOBBY_CLOSED
INVALID_LOBBY_CODE ENTRY_LIMIT_REACHED LOBBY_NOT_FOUND USER_NOT_ELIGIBLE USER_NOT_FOUND PLAYER_NAME_REQUIRED
NO_LOBBIES_FOUND JOIN_FAILED SPECTATE_NEEDS_WALLET UNPAID_SEATS_LIMIT USER_BANNED ENTRIES_PAUSED ON_A_BREAK
DEPOSIT_LIMIT_REACHED GATHERING_NOT_OFFERED GATHERING_BARRED GATHERERS_LIMIT

WALLET_NOT_CONNECTED PAYMENT_CANCELLED PAYMENT_FAILED INSUFFICIENT_FUNDS SIMULATION_FAILED BLOCKHASH_NOT_FOUND
TRANSACTION_ALREADY_PROCESSED UNKNOWN_PAYMENT_ERROR PAYMENT_SESSION_ID_MISSING UNEXPECTED_STATUS
TRANSACTION_SIGNATURE_MISSING PAYMENT_POLLING_TIMEOUT PAYMENT_TIMEOUT PAYMENT_VERIFICATION_FAILED
PAYMENT_SESSION_NOT_FOUND REWARD_POOL_ACCOUNT_MISMATCH TREASURY_MISMATCH SHARE_UPLOAD_FAILED
SHARE_FILE_INVALID SHARE_ENTRY_NOT_FOUND SHARE_NOT_CASHED_OUT
ARENA_PROGRAM_MISMATCH PLATFORM_FEE_MISMATCH INSUFFICIENT_TOKENS

PROGRAM_UNAUTHORIZED PROGRAM_INVALID_FEE_PERCENTAGE PROGRAM_INCORRECT_TOKEN_MINT PROGRAM_INCORRECT_REWARD_POOL
PROGRAM_INCORRECT_TREASURY PROGRAM_ZERO_REWARD PROGRAM_INCORRECT_LOBBY_TYPE PROGRAM_INSUFFICIENT_LOBBY_BALANCE
PROGRAM_ZERO_ENTRY_FEE PROGRAM_ENTRY_FEE_CHANGED PROGRAM_POOL_NOT_EMPTY PROGRAM_UNSUPPORTED_MINT
PROGRAM_INVALID_BATCH PROGRAM_DUPLICATE_RECIPIENT PROGRAM_INVALID_RECIPIENT PROGRAM_INVALID_ACCOUNT
PROGRAM_ARITHMETIC_OVERFLOW PROGRAM_BALANCE_MISMATCH PROGRAM_STAKE_TOO_SMALL PROGRAM_FEE_ABOVE_CAP
PROGRAM_LOBBY_ID_USED

JOIN_TICKET_INVALID DISCONNECTED ROOM_CONNECTION_TIMEOUT SESSION_ENDED KICKED KICKED_FROM_SERVER
PROTOCOL_MISMATCH MATCH_NOT_FOUND MATCH_NOT_ENDED CHAT_NOT_SENT CHAT_EMPTY CHAT_TOO_LONG CHAT_PRIVATE_FORMAT CHAT_RECIPIENT_NOT_FOUND
CHAT_COMMAND_FORBIDDEN CHAT_COMMAND_INVALID CHAT_CLOSED CHAT_MUTED CHAT_MESSAGE_NOT_FOUND
SERVER_BUSY CHAT_SLOW_MODE ADDRESS_SEATS_LIMIT FAUCET_REFUSED
ADDRESS_ACCOUNTS_LIMIT ACCOUNT_TOO_NEW KEPT_APART REPORTS_LIMIT REPORT_NOT_POSSIBLE
CONSOLE_REFUSED CONSOLE_SIGNATURE_REFUSED INPUTS_NOT_CONFIRMED

PROFILE_UPDATE_FAILED USERNAME_REQUIRED USERNAME_MALFORMED USERNAME_INAPPROPRIATE USERNAME_TAKEN
AVATAR_UPDATE_FAILED AVATAR_WRONG_TYPE AVATAR_TOO_HEAVY AVATAR_TOO_SMALL AVATAR_TOO_BIG AVATAR_CANNOT_PROCESS
AVATAR_PROCESSING_FAILED AVATAR_INVALID_FILE

ACCESS_CODE_REQUIRED ACCESS_CODE_TOO_SHORT ACCESS_CODE_TOO_LONG ACCESS_CODE_INVALID ACCESS_ALREADY_GRANTED
SOCIAL_CANCELLED SOCIAL_RATE_LIMITED SOCIAL_CONNECTION_FAILED SOCIAL_ALREADY_CONNECTED
SOCIAL_NO_AUTHORIZATION_URL LOGIN_REQUIRED TASKS_LOAD_FAILED TASK_COMPLETE_FAILED TASK_CONFIGURATION_INVALID
TASK_ID_MISSING TASK_TWEET_ID_MISSING TASK_GROUP_URL_MISSING TASK_FOLLOW_TARGET_MISSING TASK_NOT_FOUND
RAFFLE_ENTRY_FAILED RAFFLE_ALREADY_ENTERED RAFFLE_TASKS_INCOMPLETE
`
  .trim()
  .split(/\s+/);

describe('the registry', () => {
  test('holds exactly the released codes', () => {
    expect(Object.keys(ERRORS).toSorted()).toEqual(RELEASED.toSorted());
  });

  test.each(Object.entries(ERRORS))('%s is well formed', (code, { httpStatus, title, text }) => {
    expect(code).toMatch(/^[A-Z]+(_[A-Z]+)*$/);
    expect(httpStatus === null || (httpStatus >= 400 && httpStatus < 600)).toBe(true);
    expect(title).not.toBe('');
    expect(text).not.toBe('');
  });

  test('recognises its own codes only', () => {
    expect(isErrorCode('LOBBY_FULL')).toBe(true);
    expect(isErrorCode('toString')).toBe(false);
    expect(isErrorCode('lobby_full')).toBe(false);
  });
});

describe('describeFailure', () => {
  test('gives status, title and text', () => {
    expect(describeFailure(failure('LOBBY_FULL'))).toEqual({
      httpStatus: 409,
      title: 'Lobby Full',
      text: 'This lobby is currently at maximum capacity',
    });
  });

  test.each<[Failure, string]>([
    [failure('HTTP_ERROR', { status: 502, statusText: 'Bad Gateway' }), 'HTTP 502: Bad Gateway'],
    [failure('TRANSACTION_FAILED', { reason: 'custom 6004' }), 'Transaction failed: custom 6004'],
    [failure('UNEXPECTED_STATUS', { status: 'odd' }), 'Unexpected status: odd'],
    [failure('KICKED', { reason: 'afk' }), 'You have been kicked: afk'],
    [failure('KICKED_FROM_SERVER', { reason: 'afk' }), 'Kicked from server: afk'],
    [failure('AVATAR_TOO_HEAVY', { maxMegabytes: 5 }), 'Image must be less than 5 MB'],
    [failure('AVATAR_TOO_SMALL', { minPx: 128 }), 'Image must be greater than 128 x 128 pixels.'],
    [failure('AVATAR_TOO_BIG', { maxPx: 4096 }), 'Image must be less than 4096 x 4096 pixels.'],
    [failure('CHAT_TOO_LONG', { maxLength: 200 }), 'A message has at most 200 characters'],
    [failure('CHAT_RECIPIENT_NOT_FOUND', { name: 'ann' }), 'There is no player called ann here'],
  ])('fills the placeholders of $code', (refusal, text) => {
    expect(describeFailure(refusal).text).toBe(text);
  });

  test.each<[ErrorCode, string, string]>([
    ['INVALID_LOBBY_CODE', 'Invalid Lobby Code', 'The lobby code you entered is incorrect.'],
    [
      'ENTRY_LIMIT_REACHED',
      'Entry Limit Reached',
      'You have reached the maximum number of entries for this lobby.',
    ],
    ['JOIN_FAILED', 'Error', 'Failed to join lobby. Please try again.'],
    ['NETWORK_ERROR', 'Error', 'Network Error'],
    ['REQUEST_FAILED', 'Error', 'Request failed'],
    ['PAYMENT_CANCELLED', 'Payment Cancelled', 'Payment was cancelled. You can try again.'],
    ['PAYMENT_FAILED', 'Payment Failed', 'Payment failed. Please try again.'],
    ['INSUFFICIENT_FUNDS', 'Payment Failed', 'Insufficient SOL balance to join this lobby.'],
    [
      'SIMULATION_FAILED',
      'Payment Failed',
      'Transaction simulation failed. Please check your balance and try again.',
    ],
    ['BLOCKHASH_NOT_FOUND', 'Payment Failed', 'Network congestion. Please try again.'],
    [
      'TRANSACTION_ALREADY_PROCESSED',
      'Payment Failed',
      'Transaction already processed. Please wait a moment...',
    ],
    ['UNKNOWN_PAYMENT_ERROR', 'Payment Failed', 'Unknown error occurred'],
    ['PAYMENT_SESSION_ID_MISSING', 'Payment Failed', 'No payment session ID received'],
    [
      'TRANSACTION_SIGNATURE_MISSING',
      'Payment Failed',
      'No transaction signature received from Solana payment',
    ],
    ['PAYMENT_POLLING_TIMEOUT', 'Payment Failed', 'Payment polling timeout'],
    ['SHARE_UPLOAD_FAILED', 'Error', 'Upload failed. Check console for details.'],
    [
      'DISCONNECTED',
      'Disconnected',
      'You have been disconnected from the game due to network issues. Please try again.',
    ],
    ['JOIN_TICKET_INVALID', 'Unauthorized', 'Go back to home and select lobby you want to play.'],
    ['UNAUTHENTICATED', 'Authentication Error', 'Please connect your wallet and try again'],
    ['USER_NOT_FOUND', 'User Not Found', 'Please connect the wallet again'],
    ['LOBBY_NOT_FOUND', 'Lobby Not Found', 'Please select a lobby first'],
    ['PLAYER_NAME_REQUIRED', 'Player Name Required', 'Please enter a player name first'],
    ['USER_NOT_ELIGIBLE', 'User Not Eligible', 'You need a verified referral code or raffle win to play'],
    ['NO_LOBBIES_FOUND', 'No Lobbies Found', 'Please create a lobby'],
    ['SESSION_ENDED', 'Session Ended', 'Your game session has ended'],
    ['CHAT_NOT_SENT', 'Message error', 'Unable to send'],
    ['LOBBY_OFFLINE', 'Lobby Offline', 'This lobby is currently offline'],
    ['ACCESS_CODE_INVALID', 'Error', 'Access code is invalid'],
    ['SOCIAL_CANCELLED', 'Cancelled', 'User cancelled external social API authorization'],
    ['SOCIAL_RATE_LIMITED', 'Rate Limit', 'Rate limit exceeded. Try again later.'],
    ['SOCIAL_CONNECTION_FAILED', 'Connection failed', 'Failed to connect Twitter'],
    ['SOCIAL_ALREADY_CONNECTED', 'Account Exist', 'Twitter is already connected'],
    ['SOCIAL_NO_AUTHORIZATION_URL', 'Twitter Error', 'Failed to get Twitter authorization URL'],
    ['TASKS_LOAD_FAILED', 'Error', 'Failed to load tasks'],
    ['TASK_COMPLETE_FAILED', 'Error', 'Failed to complete task'],
    ['TASK_CONFIGURATION_INVALID', 'Error', 'Invalid task configuration'],
    ['RAFFLE_ENTRY_FAILED', 'Error', 'Failed to enter raffle'],
    ['PROFILE_UPDATE_FAILED', 'Error', 'Failed to update profile details'],
    ['AVATAR_UPDATE_FAILED', 'Error', 'Failed to update avatar'],
    ['AVATAR_WRONG_TYPE', 'Error', 'Only PNG or JPG images are allowed.'],
    ['AVATAR_CANNOT_PROCESS', 'Error', 'Cannot process image'],
    ['AVATAR_PROCESSING_FAILED', 'Error', 'Failed to process image'],
    ['AVATAR_INVALID_FILE', 'Error', 'Invalid image file'],
    ['WALLET_NOT_CONNECTED', 'Payment Failed', 'Please connect your wallet first'],
    ['WALLET_ADDRESS_MISMATCH', 'Payment Failed', 'Please pay using the same wallet you logged in'],
    ['REWARD_POOL_ACCOUNT_MISMATCH', 'Payment Failed', 'Invalid reward pool token account in lobby config'],
    ['TREASURY_MISMATCH', 'Payment Failed', 'Platform treasury wallet mismatch'],
    ['SPECTATE_NEEDS_WALLET', 'Wallet Needed', 'Please connect wallet to spectate'],
    ['LOGIN_REQUIRED', 'Error', 'Please login to continue.'],
  ])('%s reads as specified', (code, title, text) => {
    expect(ERRORS[code]).toMatchObject({ title, text });
  });
});

describe('programErrorCode', () => {
  test.each<[number, ErrorCode, string]>([
    [6000, 'PROGRAM_UNAUTHORIZED', 'Unauthorized: signer is not the super admin.'],
    [
      6001,
      'PROGRAM_INVALID_FEE_PERCENTAGE',
      'Invalid fee percentage: must be between 0 and 10000 basis points.',
    ],
    [6002, 'PROGRAM_INCORRECT_TOKEN_MINT', 'Incorrect token mint for this lobby.'],
    [6003, 'PROGRAM_INCORRECT_REWARD_POOL', 'Incorrect reward pool token account provided.'],
    [6004, 'PROGRAM_INCORRECT_TREASURY', 'Incorrect platform treasury wallet provided.'],
    [6005, 'PROGRAM_ZERO_REWARD', 'Reward amount must be greater than zero.'],
    [6006, 'PROGRAM_INCORRECT_LOBBY_TYPE', 'Incorrect lobby type: operation not valid for this lobby type.'],
    [6007, 'PROGRAM_INSUFFICIENT_LOBBY_BALANCE', 'Insufficient balance in lobby for reward claim.'],
    [6009, 'PROGRAM_ENTRY_FEE_CHANGED', 'Entry fee differs from the one the player agreed to.'],
    [6018, 'PROGRAM_STAKE_TOO_SMALL', 'Less would reach the pool than the player agreed to.'],
    [6019, 'PROGRAM_FEE_ABOVE_CAP', 'Platform fee is above the cap of 2000 basis points.'],
    [6020, 'PROGRAM_LOBBY_ID_USED', 'A lobby with this id was removed; its id cannot be used again.'],
  ])('%d is %s', (errorNumber, code, text) => {
    expect(programErrorCode(errorNumber)).toBe(code);
    expect(ERRORS[code].text).toBe(text);
  });

  test.each([0, 5999, 7000, 6000.5])('%d is unknown', (errorNumber) => {
    expect(programErrorCode(errorNumber)).toBeUndefined();
  });
});

describe('the types', () => {
  test('require a context exactly where a text has placeholders', () => {
    expectTypeOf<Failure<'KICKED'>['context']>().toEqualTypeOf<{ reason: string }>();
    expectTypeOf<Failure<'LOBBY_FULL'>['context']>().toEqualTypeOf<undefined>();
    // @ts-expect-error a reason is missing
    failure('KICKED');
    // @ts-expect-error there is nothing to fill in
    failure('LOBBY_FULL', { reason: 'x' });
  });

  test('narrow the context by the code', () => {
    const { error } = refuse('KICKED', { reason: 'afk' });
    expectTypeOf(error).toEqualTypeOf<Failure<'KICKED'>>();
    const any: Failure = error;
    if (any.code === 'KICKED') expectTypeOf(any.context.reason).toBeString();
    expect(error).toEqual({ code: 'KICKED', context: { reason: 'afk' } });
  });
});

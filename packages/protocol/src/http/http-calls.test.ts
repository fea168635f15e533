import { describe, expect, test } from 'vitest';
import { sessionConflictBodySchema } from '../session-conflict.ts';
import { readProfile, signIn } from '../user.ts';
import { listGamesHistory } from './dashboard.ts';
import { readGates } from './gates.ts';
import { joinLobby, PAYMENT_POLL, readPaymentStatus } from './join-lobby.ts';
import { listTasks, readRaffle } from './social.ts';

const WALLET = '11111111111111111111111111111111';
const SIGNATURE = '1'.repeat(64);

describe('join-lobby', () => {
  const isAccepted = (body: unknown) => joinLobby.body.safeParse(body).success;

  test('accepts a plain request, one with a code, and a payment confirmation', () => {
    expect(isAccepted({ selectedLobbyId: 'lobby-1' })).toBe(true);
    expect(isAccepted({ selectedLobbyId: 'lobby-1', lobbyCode: 'abc' })).toBe(true);
    const confirmation = { selectedLobbyId: 'lobby-1', isPaymentConfirmation: true };
    expect(isAccepted({ ...confirmation, transactionHash: SIGNATURE })).toBe(true);
    expect(isAccepted({ ...confirmation, transactionHash: 'True' })).toBe(true);
  });

  test('refuses a signature without its flag, the flag alone, and unknown members', () => {
    expect(isAccepted({ selectedLobbyId: 'lobby-1', transactionHash: SIGNATURE })).toBe(false);
    expect(isAccepted({ selectedLobbyId: 'lobby-1', isPaymentConfirmation: true })).toBe(false);
    expect(isAccepted({ selectedLobbyId: 'lobby-1', entryFee: '0' })).toBe(false);
    expect(isAccepted({ selectedLobbyId: '../lobby' })).toBe(false);
  });

  test('requires a ticket with the status ticketSent', () => {
    const answer = { sessionId: 's1', lobbyId: 'l1', entryFee: '50000000', message: '', shouldPoll: false };
    expect(joinLobby.answer.safeParse({ ...answer, status: 'ticketSent', joinTicket: 't' }).success).toBe(
      true,
    );
    expect(joinLobby.answer.safeParse({ ...answer, status: 'ticketSent' }).success).toBe(false);
    expect(joinLobby.answer.safeParse({ ...answer, status: 'created' }).success).toBe(true);
    expect(joinLobby.answer.safeParse({ ...answer, status: 'created', entryFee: '0.05' }).success).toBe(
      false,
    );
  });
});

test('amounts are u64 integers', () => {
  const { entryFee } = joinLobby.answer.options[0].shape;
  expect(entryFee.safeParse('18446744073709551615').success).toBe(true);
  for (const text of ['18446744073709551616', '-1', '1.5', '01', '', '1e9']) {
    expect(entryFee.safeParse(text).success, text).toBe(false);
  }
});

test('a payment is polled for a quarter of an hour', () => {
  expect(PAYMENT_POLL.everyMs * PAYMENT_POLL.maxAttempts).toBe(15 * 60_000);
});

test('unknown members of an answer are dropped', () => {
  const answer = { status: 'payment_processing', fromTheFuture: 1 };
  expect(readPaymentStatus.answer.parse(answer)).toEqual({ status: 'payment_processing' });
});

test('members that were added to answers later may be missing', () => {
  const gates = { blockedCountryCodes: ['DE'], isBetaEnable: false };
  expect(readGates.answer.parse(gates)).toEqual({
    ...gates,
    isUpgrading: false,
    isChatOpen: true,
    isMaintenanceAnnounced: false,
    isSessionOverlayOn: false,
    entriesPausedBy: null,
  });
  const raffle = { status: 'success', entered: true, result: 'won', isNotified: false };
  expect(readRaffle.answer.parse(raffle)).toEqual({ ...raffle, lastDrawnDay: null });
  expect(readPaymentStatus.answer.parse({ status: 'payment_timeout' })).toEqual({
    status: 'payment_timeout',
    errorDetails: { error: 'PAYMENT_TIMEOUT', message: '' },
  });
  const task = { _id: 't1', taskAction: 'follow', taskName: 'n', taskDescription: 'd', isCompleted: false };
  const { data } = listTasks.answer.parse({ data: [{ ...task, url: 'https://x.example' }] });
  expect(data).toEqual([{ ...task, url: 'https://x.example', tweetId: null, tgUrl: null, isQueued: false }]);
  const user = {
    id: 'u1',
    name: 'Wobble',
    avatarUrl: null,
    walletAddress: WALLET,
    rank: null,
    isTwitterConnected: false,
    referralCodeVerified: true,
    isRaffleWinner: false,
    showGuide: false,
  };
  expect(readProfile.answer.parse({ status: 'success', user }).user).toEqual({
    ...user,
    colour: null,
    goalDays: 0,
    multiplier: 1,
    isAdmin: false,
  });
});

test('a page number is parsed from text, defaults to 1, and is bounded', () => {
  expect(listGamesHistory.query.parse({})).toEqual({ page: 1 });
  expect(listGamesHistory.query.parse({ page: '7' })).toEqual({ page: 7 });
  for (const page of ['0', '-1', '1.5', 'NaN', 'Infinity', '99999']) {
    expect(listGamesHistory.query.safeParse({ page }).success, page).toBe(false);
  }
});

test('a sign-in needs a wallet, base64 and a signature of 64 bytes', () => {
  const body = { address: WALLET, signedMessage: 'aGVsbG8=', signature: `${'A'.repeat(86)}==` };
  expect(signIn.body.safeParse(body).success).toBe(true);
  expect(signIn.body.safeParse({ ...body, address: 'nobody' }).success).toBe(false);
  expect(signIn.body.safeParse({ ...body, signature: 'AAAA' }).success).toBe(false);
  expect(signIn.body.safeParse({ ...body, signedMessage: 'not base64!' }).success).toBe(false);
});

test('a session conflict needs every member that its popup shows', () => {
  const conflict = {
    error: 'SESSION_CONFLICT',
    message: 'm',
    instruction: 'i',
    sessionTTL: 90,
    sessionId: '00000000-0000-4000-8000-000000000001',
    isPaymentSession: true,
    sessionStatus: 'payment_processing',
  };
  expect(sessionConflictBodySchema.safeParse(conflict).success).toBe(true);
  expect(sessionConflictBodySchema.safeParse({ ...conflict, sessionTTL: -1 }).success).toBe(false);
  expect(sessionConflictBodySchema.safeParse({ ...conflict, error: 'LOBBY_FULL' }).success).toBe(false);
});

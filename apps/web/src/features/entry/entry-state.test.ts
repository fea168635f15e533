import { describe, expect, test } from 'vitest';
import { aLobby, FREE } from '../../testing/fixtures.ts';
import type { EntryProgress } from './entry-flow.ts';
import { entryState, entrySteps, sessionConflictTitle } from './entry-state.ts';

const NOON = Date.UTC(2026, 10, 15, 12);
const now = { players: 6, lobbyCode: '', progress: undefined, nowMs: NOON };

describe('the popup', () => {
  test('offers to pay in a paid lobby and to play in a free one', () => {
    expect(entryState(aLobby(), now)).toMatchObject({
      title: 'Entry Confirmation',
      mainLabel: 'Pay & Play',
      isMainEnabled: true,
    });
    expect(entryState(aLobby(FREE), now)).toMatchObject({ mainLabel: 'Play Now', isMainEnabled: true });
  });

  test('disables the button when the lobby fills up, even if it is closed too', () => {
    for (const isLocked of [false, true]) {
      expect(entryState(aLobby({ isLocked }), { ...now, players: 10 })).toMatchObject({
        title: 'LOBBY FULL',
        isMainEnabled: false,
      });
    }
  });

  test('says that a lobby is full before it says that it is closed', () => {
    expect(entryState(aLobby({ isLocked: true }), { ...now, players: 10 }).title).toBe('LOBBY FULL');
  });

  test('confirms while it waits, in a free lobby too', () => {
    const progress: EntryProgress = { step: 'creating' };
    expect(entryState(aLobby(FREE), { ...now, progress }).title).toBe('Confirming Transaction');
  });

  test.each([
    [{ isLocked: true }, 'COMING SOON'],
    [{ dailyOpenWindows: [{ startUtc: '22:00', endUtc: '23:00' }] }, 'Opens at: 15 Nov 22:00 UTC'],
    [{ dailyOpenWindows: [{ startUtc: '2026-11-14T10:00', endUtc: '2026-11-14T12:00' }] }, 'COMING SOON'],
    [{ dailyOpenWindows: [{ startUtc: 'noon', endUtc: 'dusk' }] }, 'Lobby is open at noon – dusk'],
  ])('says when a closed lobby opens: %j', (change, text) => {
    const state = entryState(aLobby(change), now);
    expect(state).toMatchObject({ title: 'LOBBY CLOSED', isMainEnabled: false, obstacle: { text } });
  });

  test.each([
    ['', false],
    ['AB', false],
    ['ABC', true],
    ['ABCDEF', true],
    ['ABCDEFG', false],
  ])('with code %j in a semi-private lobby, the button is enabled: %s', (lobbyCode, isMainEnabled) => {
    const lobby = aLobby({ lobbyType: 'semi-private', dailyOpenWindows: [] });
    expect(entryState(lobby, { ...now, lobbyCode }).isMainEnabled).toBe(isMainEnabled);
  });

  test.each([
    ['creating', 'Creating session...'],
    ['paying', 'Starting Solana payment...'],
    ['confirming', 'Payment completed, confirming transaction...'],
    ['verifying', 'Verifying payment...'],
    ['joining', 'Payment verified! Joining game...'],
    ['timedOut', 'Payment session timed out'],
    ['failed', 'Payment verification failed'],
  ] as const)('step %s shows %j on the button', (step, mainLabel) => {
    const progress: EntryProgress = { step };
    for (const lobby of [aLobby(), aLobby(FREE)]) {
      expect(entryState(lobby, { ...now, progress })).toMatchObject({
        title: 'Confirming Transaction',
        mainLabel,
        isBusy: true,
      });
    }
  });
});

describe('the main button', () => {
  test('stops spinning once the entry has failed', () => {
    const waiting = (step: 'verifying' | 'failed' | 'timedOut') =>
      entryState(aLobby(), { ...now, progress: { step } }).isWaiting;
    expect([waiting('verifying'), waiting('failed'), waiting('timedOut')]).toEqual([true, false, false]);
  });
});

describe('entrySteps', () => {
  const states = (progress: EntryProgress, signature?: string) =>
    entrySteps(progress, signature).map(({ state }) => state);

  test('moves on as soon as the wallet has signed', () => {
    expect(states({ step: 'paying' })).toEqual(['done', 'running', 'ahead', 'ahead', 'ahead']);
    expect(states({ step: 'paying', signature: 'sig' }, 'si…ig')).toEqual([
      'done',
      'done',
      'running',
      'ahead',
      'ahead',
    ]);
  });

  test('marks a failed verification', () => {
    expect(states({ step: 'failed' })).toEqual(['done', 'done', 'done', 'failed', 'ahead']);
    expect(entrySteps({ step: 'timedOut' }, undefined)[3]!.detail).toBe('Payment session timed out');
  });

  test('shows the signature under the payment step', () => {
    expect(entrySteps({ step: 'verifying', signature: 'x' }, '4Zk9…mT7e')[1]).toMatchObject({
      label: 'Solana payment signed',
      detail: 'Signature 4Zk9…mT7e',
    });
  });
});

test('the heading of a conflict says whether a payment or another window is open', () => {
  expect(sessionConflictTitle({ isPaymentSession: true })).toBe('Payment In Progress');
  expect(sessionConflictTitle({ isPaymentSession: false, isDisconnected: true })).toBe('Match In Progress');
  expect(sessionConflictTitle({ isPaymentSession: false })).toBe('Multiple Session Detected');
});

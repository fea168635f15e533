import type { Lobby } from '@engulf/protocol/lobby';
import { describe, expect, test } from 'vitest';
import { aLobby, FREE } from '../../testing/fixtures.ts';
import { lobbyRowState } from './lobby-row-state.ts';

const NOW = Date.UTC(2026, 10, 15, 12);

function rowOf(change: Partial<Lobby>, { players = 6, silentMs = 0, isSignedIn = true } = {}) {
  const pulse = { totalPlayers: players, totalBots: 4, poolTotal: 742n, heardAtMs: NOW - silentMs };
  return lobbyRowState(aLobby(change), { pulse, nowMs: NOW, isSignedIn });
}

describe('lobbyRowState', () => {
  test.each([
    ['open', {}, { players: 6 }],
    ['lastSeat', {}, { players: 9 }],
    ['full', {}, { players: 10 }],
    ['offline', {}, { silentMs: 5_001 }],
    ['open', {}, { silentMs: 5_000 }],
    ['closed', { dailyOpenWindows: [{ startUtc: '22:00', endUtc: '23:00' }] }, {}],
    ['locked', { isLocked: true }, {}],
    ['closed', { lobbyType: 'semi-private' as const }, {}],
  ] as const)('is %s: %j %j', (kind, change, live) => {
    expect(rowOf(change as Partial<Lobby>, live).kind).toBe(kind);
  });

  test('is offline before the first update', () => {
    expect(lobbyRowState(aLobby(), { pulse: undefined, nowMs: NOW, isSignedIn: true }).kind).toBe('offline');
  });

  test('allows spectating a full lobby but not a silent one', () => {
    expect(rowOf({}, { players: 10 })).toMatchObject({
      canEnter: false,
      canSpectate: true,
      poolTotal: 742n,
      bots: 4,
    });
    expect(rowOf({}, { silentMs: 9_000 })).toMatchObject({
      canSpectate: false,
      poolTotal: undefined,
      bots: 0,
    });
  });

  test('does not offer to spectate a semi-private lobby', () => {
    const semiPrivate = { lobbyType: 'semi-private' as const, dailyOpenWindows: [] };
    expect(rowOf(semiPrivate)).toMatchObject({ canEnter: true, canSpectate: false });
  });

  test.each([
    ['Pay & Play', {}, {}],
    ['Play', FREE, {}],
    ['Enter code', { lobbyType: 'semi-private' as const, dailyOpenWindows: [] }, {}],
    ['Connect', {}, { isSignedIn: false }],
    ['Lobby full', {}, { players: 10, isSignedIn: false }],
    ['Coming soon', { isLocked: true }, {}],
  ])('has a button that reads %s', (action, change, live) => {
    expect(rowOf(change, live).action).toBe(action);
  });

  test('says when a closed lobby opens', () => {
    const { subtitle } = rowOf({ dailyOpenWindows: [{ startUtc: '22:00', endUtc: '23:00' }] });
    expect(subtitle).toBe('Opens at: 15 Nov 22:00 UTC');
  });
});

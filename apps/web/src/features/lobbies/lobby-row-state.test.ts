import type { Lobby } from '@engulf/protocol/lobby';
import { describe, expect, test } from 'vitest';
import { aLobby, FREE } from '../../testing/fixtures.ts';
import { lobbyRowState } from './lobby-row-state.ts';

const NOW = Date.UTC(2026, 10, 15, 12);

type Live = { players?: number; silentMs?: number; isSignedIn?: boolean; readyInS?: number; wayMs?: number };

function rowOf(
  change: Partial<Lobby>,
  { players = 6, silentMs = 0, isSignedIn = true, readyInS = 0, wayMs }: Live = {},
) {
  const pulse = { totalPlayers: players, totalBots: 4, poolTotal: 742n, heardAtMs: NOW - silentMs };
  return lobbyRowState(aLobby(change), { pulse, nowMs: NOW, isSignedIn, readyInS, wayMs });
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
    ['Ready in 8 s', {}, { readyInS: 8 }],
    ['Lobby full', {}, { readyInS: 8, players: 10 }],
  ])('has a button that reads %s', (action, change, live) => {
    expect(rowOf(change, live).action).toBe(action);
  });

  test('says when a closed lobby opens', () => {
    const { subtitle } = rowOf({ dailyOpenWindows: [{ startUtc: '22:00', endUtc: '23:00' }] });
    expect(subtitle).toBe('Opens at: 15 Nov 22:00 UTC');
  });

  test('says where an open lobby is, and how far away if that was measured', () => {
    expect(rowOf({}).subtitle).toBe('EU West');
    expect(rowOf({}, { wayMs: 42 }).subtitle).toBe('EU West, 42 ms');
    expect(rowOf({ region: null }, { wayMs: 180 }).subtitle).toBe('Global, 180 ms');
  });
});

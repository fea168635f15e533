import { afterAll, beforeAll, expect, test } from 'vitest';
import {
  closeCodeOf,
  dropConnection,
  enter,
  firstMessage,
  joinWithTicket,
  resume,
  spectate,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { cookieOf, issueTicket, LOBBY_CODE, newWatcherCookie } from '../../../testing/game/memory-ports.ts';
import { freeLobby } from '../../../testing/game/test-lobbies.ts';
import { ROOM_LIMITS } from '../limits.ts';

const lobby = freeLobby();
const crowded = freeLobby();
const semiPrivate = freeLobby({ lobbyType: 'semi-private', dailyOpenWindows: [] });
let server: ArenaServer;

beforeAll(async () => {
  server = await startArenaServer([lobby, crowded, semiPrivate], QUICK_RULES);
});
afterAll(() => server.stop());

test('a user with a seat in the lobby cannot spectate it until their game is over', async () => {
  const { client, seat } = await enter(server, lobby);
  const cookie = cookieOf(seat.userId);
  await expect(spectate(server, lobby, cookie)).rejects.toThrow('ACTIVE_SESSION_EXISTS');
  const { ticket, seat: waiting } = issueTicket(server.ports, lobby);
  const second = await joinWithTicket(server, lobby, ticket);
  await expect(spectate(server, lobby, cookieOf(waiting.userId))).rejects.toThrow(
    'EXISTING_SESSION_DETECTED',
  );
  await client.leave();
  await server.until(() => server.ports.settled.has(seat.entryId));
  const watcher = await spectate(server, lobby, cookie);
  await Promise.all([watcher.leave(), second.leave()]);
});

test('a spectator who takes a seat is kicked and cannot reconnect as spectator', async () => {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const open = await spectate(server, lobby, cookieOf(seat.userId));
  const broken = await spectate(server, lobby, cookieOf(seat.userId));
  const reconnectionToken = await dropConnection(broken);
  const player = await joinWithTicket(server, lobby, ticket);
  expect(await firstMessage(server, open, 'kicked')).toEqual({ reason: 'You joined this lobby as a player' });
  expect(await closeCodeOf(server, open)).toBe(4002);
  await expect(resume(server, reconnectionToken)).rejects.toThrow('EXISTING_SESSION_DETECTED');
  await player.leave();
});

test('one user cannot take all spectator places, not even with concurrent joins', async () => {
  const cookie = newWatcherCookie();
  const tries = Array.from({ length: 6 }, () => spectate(server, crowded, cookie));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(
    ROOM_LIMITS.maxSpectatorsPerUser,
  );
  await expect(spectate(server, crowded, cookie)).rejects.toThrow('LOBBY_FULL');
  const other = await spectate(server, crowded);
  expect(await firstMessage(server, other, 'welcome')).toMatchObject({ player: { id: 0 } });
});

test('a semi-private lobby is watched with its code, or by those who have played there', async () => {
  const cookie = newWatcherCookie();
  await expect(spectate(server, semiPrivate, cookie)).rejects.toThrow('INVALID_LOBBY_CODE');
  await expect(spectate(server, semiPrivate, cookie, { lobbyCode: 'WRONG' })).rejects.toThrow(
    'INVALID_LOBBY_CODE',
  );
  const watcher = await spectate(server, semiPrivate, cookie, { lobbyCode: LOBBY_CODE });
  const { client, seat } = await enter(server, semiPrivate);
  await client.leave();
  await server.until(() => server.ports.settled.has(seat.entryId));
  const player = await spectate(server, semiPrivate, cookieOf(seat.userId));
  await Promise.all([watcher.leave(), player.leave()]);
});

test('a wrong lobby code counts as a guess of the spectator and of its address', async () => {
  const { ports } = server;
  const cookie = newWatcherCookie();
  const { userId } = (await ports.identify(cookie))!;
  ports.guessers.length = 0;
  ports.guessesLeft = 2;
  for (const lobbyCode of ['WRONG1', 'WRONG2']) {
    await expect(spectate(server, semiPrivate, cookie, { lobbyCode })).rejects.toThrow('INVALID_LOBBY_CODE');
  }
  const guess = spectate(server, semiPrivate, cookie, { lobbyCode: LOBBY_CODE });
  await expect(guess).rejects.toThrow('RATE_LIMITED');
  expect(ports.guessers).toEqual([
    { userId, address: '127.0.0.1' },
    { userId, address: '127.0.0.1' },
  ]);
});

test('a spectator who signs out is shown nothing more', async () => {
  const [leaver, stayer] = [newWatcherCookie(), newWatcherCookie()];
  const [left, stayed] = [await spectate(server, lobby, leaver), await spectate(server, lobby, stayer)];
  server.ports.signedOut.add(leaver.split('=')[1]!);
  await server.play(ROOM_LIMITS.spectatorCheckMs / 1000);
  expect(await firstMessage(server, left, 'kicked')).toEqual({ reason: 'You are signed out' });
  expect(await closeCodeOf(server, left)).toBe(4002);
  expect(stayed.closeCode).toBeUndefined();
  await stayed.leave();
});

import { Client } from '@colyseus/sdk';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { ROOM_LIMITS } from '../room/room-limits.ts';
import { enter, firstMessage, joinWithTicket, spectate } from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { cookieOf, freeLobby, issueTicket, newWatcherCookie } from '../testing/memory-ports.ts';

const lobby = freeLobby();
const crowded = freeLobby();
let server: ArenaServer;

beforeAll(async () => {
  server = await startArenaServer([lobby, crowded], QUICK_RULES);
});
afterAll(() => server.stop());

test('whoever plays or is about to cannot watch the whole arena, until it is over', async () => {
  const { client, seat } = await enter(server, lobby);
  const cookie = cookieOf(seat.userId);
  await expect(spectate(server, lobby, cookie)).rejects.toThrow('ACTIVE_SESSION_EXISTS');
  const { ticket, seat: waiting } = issueTicket(server.ports, lobby);
  const second = await joinWithTicket(server, lobby, ticket);
  await expect(spectate(server, lobby, cookieOf(waiting.userId))).rejects.toThrow(
    'EXISTING_SESSION_DETECTED',
  );
  await client.room.leave();
  await vi.waitFor(() => expect(server.ports.settled.has(seat.entryId)).toBe(true), 5_000);
  const watcher = await spectate(server, lobby, cookie);
  await Promise.all([watcher.room.leave(), second.room.leave()]);
});

test('a spectator that takes a seat stops watching and cannot come back to it', async () => {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const open = await spectate(server, lobby, cookieOf(seat.userId));
  const broken = await spectate(server, lobby, cookieOf(seat.userId));
  const { reconnectionToken } = broken.room;
  (broken.room.connection.transport as unknown as { ws: { close(): void } }).ws.close();
  await vi.waitFor(() => expect(broken.closeCode).toBeDefined(), 5_000);
  const player = await joinWithTicket(server, lobby, ticket);
  expect(await firstMessage(open, 'kicked')).toEqual({ reason: 'You play in this lobby now' });
  await vi.waitFor(() => expect(open.closeCode).toBe(4002), 5_000);
  await expect(new Client(server.url).reconnect(reconnectionToken)).rejects.toThrow(
    'EXISTING_SESSION_DETECTED',
  );
  await player.room.leave();
});

test('nobody takes the places of others, not even all at once', async () => {
  const cookie = newWatcherCookie();
  const tries = Array.from({ length: 6 }, () => spectate(server, crowded, cookie));
  const outcomes = await Promise.allSettled(tries);
  expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(
    ROOM_LIMITS.maxSpectatorsPerUser,
  );
  await expect(spectate(server, crowded, cookie)).rejects.toThrow('LOBBY_FULL');
  const other = await spectate(server, crowded);
  expect(await firstMessage(other, 'welcome')).toMatchObject({ player: null });
});

import { Client } from '@colyseus/sdk';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import {
  type ArenaClient,
  enter,
  firstMessage,
  follow,
  joinWithTicket,
  messagesOf,
  sendSpawn,
  spectate,
} from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { freeLobby, issueTicket, paidLobby } from '../testing/memory-ports.ts';

const lobby = paidLobby();
const free = freeLobby();
let server: ArenaServer;

beforeEach(async () => {
  server = await startArenaServer([lobby, free], { ...QUICK_RULES, departure: { graceSeconds: 2 } });
});
afterEach(async () => {
  await server.stop();
  expect(server.ports.faults).toEqual([]);
});

/** As when the network fails: no goodbye. */
async function lose({ room }: ArenaClient): Promise<string> {
  const { reconnectionToken } = room;
  (room.connection.transport as unknown as { ws: { close(code?: number): void } }).ws.close();
  await new Promise((resolve) => setTimeout(resolve, 300));
  return reconnectionToken;
}

test('whoever reconnects in time is back in the same body', async () => {
  const { client, seat } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  const token = await lose(client);
  const back = follow(await new Client(server.url).reconnect(token));
  await vi.waitFor(() => expect(back.decoder.view.own?.id).toBe(id), 5_000);
  const { tick, primary } = back.decoder.view;
  const { x } = primary!;
  back.room.send('movement', { x: x < 500 ? 400 : -400, y: 0 });
  await vi.waitFor(() => expect(Math.abs(back.decoder.view.primary!.x - x)).toBeGreaterThan(20), 5_000);
  await vi.waitFor(() => expect(back.decoder.view.tick).toBeGreaterThan(tick + 75), 5_000);
  expect(server.ports.settled.has(seat.entryId)).toBe(false);
});

test('whoever joins again with a new ticket for the same entry is back in the same body', async () => {
  const { client, seat } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  await lose(client);
  const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
  const back = await joinWithTicket(server, lobby, ticket);
  expect((await firstMessage(back, 'welcome')).player!.id).toBe(id);
  sendSpawn(back);
  await vi.waitFor(() => expect(back.decoder.view.own?.id).toBe(id), 5_000);
  await vi.waitFor(() => expect(server.ports.live.get(lobby.id)!.totalPlayers).toBe(1), 3_000);
});

test('a second window takes over from the first', async () => {
  const { client, seat } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
  const second = await joinWithTicket(server, lobby, ticket);
  sendSpawn(second);
  expect(await firstMessage(client, 'kicked')).toEqual({ reason: 'You joined from somewhere else' });
  await vi.waitFor(() => expect(client.closeCode).toBe(4002), 5_000);
  await vi.waitFor(() => expect(second.decoder.view.own?.id).toBe(id), 5_000);
  await new Promise((resolve) => setTimeout(resolve, 2_500));
  expect(server.ports.settled.size).toBe(0);
});

test('whoever stays away is refunded, and comes too late after that', async () => {
  const { client, seat } = await enter(server, lobby);
  const token = await lose(client);
  await vi.waitFor(() => expect(server.ports.settled.has(seat.entryId)).toBe(true), 5_000);
  expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'forfeit', amount: 50_000_000n });
  await expect(new Client(server.url).reconnect(token)).rejects.toThrow();
  const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
  await expect(joinWithTicket(server, lobby, ticket)).rejects.toThrow('SESSION_ENDED');
});

test('a seat that nobody spawned from keeps its stake until the room closes', async () => {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const client = await joinWithTicket(server, lobby, ticket);
  await lose(client);
  await server.game.close();
  expect(server.ports.settled.get(seat.entryId)).toEqual({
    kind: 'closed',
    amount: 50_000_000n,
    massMilli: 0,
  });
});

test('a spectator may lose the connection too', async () => {
  await enter(server, free);
  const watcher = await spectate(server, free);
  await vi.waitFor(() => expect(watcher.decoder.view.bodies).toHaveLength(1), 5_000);
  const back = follow(await new Client(server.url).reconnect(await lose(watcher)));
  await vi.waitFor(() => expect(back.decoder.view.bodies).toHaveLength(1), 5_000);
  expect(messagesOf(back, 'kicked')).toEqual([]);
});

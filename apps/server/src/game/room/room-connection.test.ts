import type { Socket } from 'node:net';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { afterEach, beforeEach, expect, test } from 'vitest';
import {
  closeCodeOf,
  dropConnection,
  enter,
  firstMessage,
  joinWithTicket,
  messagesOf,
  resume,
  sendSpawn,
  spectate,
} from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { connectRaw } from '../../../testing/game/raw-socket.ts';
import { freeLobby, paidLobby } from '../../../testing/game/test-lobbies.ts';

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

test('a player who reconnects in time gets the same cells back', async () => {
  const { client, seat } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  const token = await dropConnection(client);
  const back = await resume(server, token);
  await server.until(() => expect(back.decoder.view.own?.id).toBe(id));
  const { tick, primary } = back.decoder.view;
  const { x } = primary!;
  back.send('movement', { x: x < 500 ? 400 : -400, y: 0, seq: 0 });
  await server.until(() => expect(Math.abs(back.decoder.view.primary!.x - x)).toBeGreaterThan(20));
  await server.until(() => expect(back.decoder.view.tick).toBeGreaterThan(tick + 75));
  expect(server.ports.settled.has(seat.entryId)).toBe(false);
});

test('a player who reconnects gets the same cells back although the old connection still looks open', async () => {
  const { client } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  const back = await resume(server, client.resumeToken);
  await server.until(() => expect(back.decoder.view.own?.id).toBe(id));
  await server.play(2.5);
  expect(back.closeCode).toBeUndefined();
  expect(server.ports.settled.size).toBe(0);
});

test('a player who rejoins with a new ticket for the same entry gets the same cells back', async () => {
  const { client, seat } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  await dropConnection(client);
  const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
  const back = await joinWithTicket(server, lobby, ticket);
  const welcome = await firstMessage(server, back, 'welcome');
  expect(welcome).toMatchObject({ player: { id }, gameId: seat.entryId });
  sendSpawn(back);
  await server.until(() => expect(back.decoder.view.own?.id).toBe(id));
  await server.until(() => expect(server.ports.live.get(lobby.id)!.totalPlayers).toBe(1));
});

test('the room reports who has a place in it but no connection', async () => {
  const [{ client, seat }] = [await enter(server, lobby), await enter(server, lobby)];
  const reported = () => server.ports.live.get(lobby.id)!.disconnected;
  expect(reported()).toEqual([]);
  const token = await dropConnection(client);
  await server.until(() => expect(reported()).toEqual([seat.entryId]));
  await resume(server, token);
  await server.until(() => expect(reported()).toEqual([]));
});

test('a second window takes over from the first', async () => {
  const { client, seat } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
  const second = await joinWithTicket(server, lobby, ticket);
  sendSpawn(second);
  expect(await firstMessage(server, client, 'kicked')).toEqual({ reason: 'You joined from somewhere else' });
  expect(await closeCodeOf(server, client)).toBe(CLOSE_CODES.kicked);
  await server.until(() => expect(second.decoder.view.own?.id).toBe(id));
  await server.play(2.5);
  expect(server.ports.settled.size).toBe(0);
});

test('a connection that broke does not come back in place of a newer one', async () => {
  const { client, seat } = await enter(server, lobby);
  const { id } = client.decoder.view.own!;
  const token = await dropConnection(client);
  const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
  const second = await joinWithTicket(server, lobby, ticket);
  sendSpawn(second);
  await expect(resume(server, token)).rejects.toThrow();
  await server.until(() => expect(second.decoder.view.own?.id).toBe(id));
  await server.play(2.5);
  expect(messagesOf(second, 'kicked')).toEqual([]);
  expect(second.closeCode).toBeUndefined();
  expect(server.ports.settled.size).toBe(0);
});

test('a player who stays away is refunded, and is only told so on coming back later', async () => {
  const { client, seat } = await enter(server, lobby);
  const token = await dropConnection(client);
  await server.until(() => expect(server.ports.settled.has(seat.entryId)).toBe(true));
  expect(server.ports.settled.get(seat.entryId)).toMatchObject({ kind: 'forfeit', amount: 50_000_000n });
  await expect(resume(server, token)).rejects.toThrow();
  const { ticket } = issueTicket(server.ports, lobby, seat.entryId);
  const late = await joinWithTicket(server, lobby, ticket);
  sendSpawn(late);
  expect(await firstMessage(server, late, 'gameOver')).toMatchObject({ cause: 'disconnected' });
  expect(await closeCodeOf(server, late)).toBe(CLOSE_CODES.left);
  expect(late.stateTypes).toEqual([]);
});

test('a disconnected player who has not spawned gets the stake back when the room closes', async () => {
  const { ticket, seat } = issueTicket(server.ports, lobby);
  const client = await joinWithTicket(server, lobby, ticket);
  await dropConnection(client);
  await server.game.close();
  expect(server.ports.settled.get(seat.entryId)).toEqual({
    kind: 'closed',
    amount: 50_000_000n,
    massMilli: 0,
  });
});

test('a spectator can reconnect', async () => {
  await enter(server, free);
  const watcher = await spectate(server, free);
  await server.until(() => expect(watcher.decoder.view.bodies).toHaveLength(1));
  const back = await resume(server, await dropConnection(watcher));
  await server.until(() => expect(back.decoder.view.bodies).toHaveLength(1));
  expect(messagesOf(back, 'kicked')).toEqual([]);
});

test('a client that begins to close and then holds its socket does not hold up the room', async () => {
  const { client } = await enter(server, lobby);
  const stream = (client.socket as unknown as { _socket: Socket })._socket;
  // A close frame, after which the socket says nothing and reads nothing.
  stream.write(Buffer.of(0x88, 0x82, 0, 0, 0, 0, 0x03, 0xe9));
  stream.pause();
  await server.play(0.2);
  const closing = server.game.close();
  let isClosed = false;
  void closing.then(() => {
    isClosed = true;
  });
  await server.until(() => isClosed);
});

test('a player whose line breaks while the ticket is redeemed has the seat, without a connection', async () => {
  const { ticket } = issueTicket(server.ports, lobby);
  const { redeemTicket } = server.ports;
  const redeeming = Promise.withResolvers<void>();
  server.ports.redeemTicket = async (...asked) => {
    await redeeming.promise;
    return redeemTicket(...asked);
  };
  const client = await connectRaw(server);
  const options = { type: 'player', lobbyId: lobby.id, joinTicket: ticket };
  client.send(JSON.stringify({ type: 'join', room: 'agar_game', options }));
  await server.play(0.2);
  client.socket.terminate();
  await server.play(0.2);
  redeeming.resolve();
  server.ports.redeemTicket = redeemTicket;
  await server.until(() => expect(server.ports.live.get(lobby.id)!.disconnected).toHaveLength(1));
});

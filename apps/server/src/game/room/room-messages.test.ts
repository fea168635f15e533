import { ROOM_CLIENT_MESSAGES } from '@engulf/protocol/room/client-messages';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeCodeOf, enter, firstMessage, messagesOf } from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { freeLobby } from '../../../testing/game/test-lobbies.ts';

const lobby = freeLobby();
let server: ArenaServer;

beforeAll(async () => {
  server = await startArenaServer([lobby], QUICK_RULES);
});
afterAll(() => server.stop());

test('a few bad messages are dropped and change nothing', async () => {
  const { client } = await enter(server, lobby);
  const { view } = client.decoder;
  const { x, y } = view.primary!;
  const { movement, split, f4Testing } = ROOM_CLIENT_MESSAGES;
  for (const length of [0, 3, 5, 999]) {
    client.socket.send(Uint8Array.of(movement.number, ...new Uint8Array(length).fill(1)));
  }
  client.socket.send(Uint8Array.of(f4Testing.number));
  client.socket.send(Uint8Array.of(99));
  client.socket.send(Uint8Array.of(split.number, 0, 0, 0, 0));
  client.socket.send('{"type":"movement","x":500,"y":0}');
  client.send('ping', { id: 1, timestamp: 1, data: 'x'.repeat(100) });
  await firstMessage(server, client, 'pong');
  await server.play(1);
  expect({ x: view.primary!.x, y: view.primary!.y }).toEqual({ x, y });
  expect(view.own!.cells).toHaveLength(1);
  expect(client.closeCode).toBeUndefined();
  // Each is answered, as long as they are few.
  const refused = messagesOf(client, 'error').map(({ code, about }) => [code, about]);
  expect(refused).toHaveLength(8);
  expect(refused).toContainEqual(['INVALID_REQUEST', 'movement']);
  expect(refused).toContainEqual(['FORBIDDEN', 'f4Testing']);
  expect(refused).toContainEqual(['INVALID_REQUEST', undefined]);
  await client.leave();
});

test('a client that keeps sending invalid messages is kicked with a reason', async () => {
  const { client } = await enter(server, lobby);
  for (let i = 0; i < 40; i++) client.socket.send(Uint8Array.of(99));
  expect(await firstMessage(server, client, 'kicked')).toEqual({ reason: 'Invalid messages' });
  expect(await closeCodeOf(server, client)).toBe(CLOSE_CODES.kicked);
});

test('a flood of messages gets a client kicked, a burst after a stall does not', async () => {
  const { client: stalled } = await enter(server, lobby);
  for (let i = 0; i < 150; i++) stalled.send('movement', { x: i, y: 0, seq: i % 256 });
  const { client: flooder } = await enter(server, lobby);
  for (let i = 0; i < 260; i++) flooder.send('movement', { x: i, y: 0, seq: i % 256 });
  expect(await firstMessage(server, flooder, 'kicked')).toEqual({ reason: 'Too many messages' });
  expect(messagesOf(stalled, 'kicked')).toEqual([]);
  await stalled.leave();
});

test('malformed frames affect nobody but their sender', async () => {
  const { client: bystander } = await enter(server, lobby);
  for (const frame of [[], [0], [1], [9], [9, 0x7b], [9, 0xff, 0xfe], [13, 1], [200], [255, 255]]) {
    const { client } = await enter(server, lobby);
    client.socket.send(Uint8Array.from(frame));
  }
  const { tick } = bystander.decoder.view;
  await server.until(() => expect(bystander.decoder.view.tick).toBeGreaterThan(tick + 10));
  expect(bystander.closeCode).toBeUndefined();
});

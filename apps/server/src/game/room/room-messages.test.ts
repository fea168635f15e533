import { clientTypeNumber } from '@engulf/protocol/room/wire-types';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { closeCodeOf, enter, firstMessage, messagesOf } from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { freeLobby } from '../testing/test-lobbies.ts';

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
  for (const payload of [{ x: 500, y: 0, seq: 0 }, [], null, 'x'.repeat(999)]) {
    client.room.send(clientTypeNumber('movement'), payload);
  }
  for (const length of [0, 3, 5, 999]) {
    client.room.sendBytes(clientTypeNumber('movement'), new Uint8Array(length).fill(1));
  }
  client.room.send('f4Testing');
  client.room.send('movement', { x: 500, y: 0, seq: 0 });
  client.room.send(99, {});
  client.room.send(clientTypeNumber('split'), { now: true });
  client.room.sendBytes(clientTypeNumber('split'), new Uint8Array(4));
  client.room.send('__proto__', {});
  client.send('ping', { id: 1, timestamp: 1, data: 'x'.repeat(100) });
  await firstMessage(server, client, 'pong');
  await server.play(1);
  expect({ x: view.primary!.x, y: view.primary!.y }).toEqual({ x, y });
  expect(view.own!.cells).toHaveLength(1);
  expect(client.closeCode).toBeUndefined();
  await client.room.leave();
});

test('a client that keeps sending invalid messages is kicked with a reason', async () => {
  const { client } = await enter(server, lobby);
  for (let i = 0; i < 40; i++) client.room.send(clientTypeNumber('movement'), { x: 'left' });
  expect(await firstMessage(server, client, 'kicked')).toEqual({ reason: 'Invalid messages' });
  expect(await closeCodeOf(server, client)).toBe(4002);
});

test('a flood of messages gets a client kicked, a burst after a stall does not', async () => {
  const { client: stalled } = await enter(server, lobby);
  for (let i = 0; i < 150; i++) stalled.send('movement', { x: i, y: 0, seq: i % 256 });
  const { client: flooder } = await enter(server, lobby);
  for (let i = 0; i < 260; i++) flooder.send('movement', { x: i, y: 0, seq: i % 256 });
  expect(await firstMessage(server, flooder, 'kicked')).toEqual({ reason: 'Too many messages' });
  expect(messagesOf(stalled, 'kicked')).toEqual([]);
  await stalled.room.leave();
});

test('malformed frames affect nobody but their sender', async () => {
  const { client: bystander } = await enter(server, lobby);
  for (const frame of [
    [],
    [13],
    [13, 0xd9],
    [13, 0xdb, 255, 255, 255, 255],
    [13, 0xa5, 1],
    [17],
    [17, 0xc1],
    [21],
    [21, 1],
    [19, 1],
    [255],
    [10],
  ]) {
    const { client } = await enter(server, lobby);
    const socket = (client.room.connection.transport as unknown as { ws: { send(data: Uint8Array): void } })
      .ws;
    socket.send(Uint8Array.from(frame));
  }
  const { tick } = bystander.decoder.view;
  await server.until(() => expect(bystander.decoder.view.tick).toBeGreaterThan(tick + 10));
  expect(bystander.closeCode).toBeUndefined();
});

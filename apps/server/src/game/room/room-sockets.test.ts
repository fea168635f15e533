import { Protocol } from '@colyseus/core';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { enter } from '../testing/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { disguisedFrame, laughingFrame } from '../testing/laughing-frame.ts';
import { connectRaw } from '../testing/raw-socket.ts';
import { freeLobby } from '../testing/test-lobbies.ts';

const lobby = freeLobby();
const HANDSHAKE_SECONDS = ENTRANCE_LIMITS.handshakeWithinMs / 1000;
let server: ArenaServer;

beforeAll(async () => {
  server = await startArenaServer([lobby], QUICK_RULES);
});
afterAll(() => server.stop());

test('a socket that never acknowledges the join is closed at the deadline', async () => {
  const silent = await connectRaw(server, lobby);
  await server.play(HANDSHAKE_SECONDS - 1);
  expect(silent.closeCode).toBeUndefined();
  await server.until(() => expect(silent.closeCode).toBe(1006));
  expect(silent.received).toHaveLength(1);
});

test('a socket that acknowledges the join gets its messages and stays', async () => {
  const client = await connectRaw(server, lobby);
  client.send(Protocol.JOIN_ROOM);
  await server.play(HANDSHAKE_SECONDS + 1);
  expect(client.closeCode).toBeUndefined();
  expect(client.received.length).toBeGreaterThan(2);
});

test.each([
  ['a request', [Protocol.ROOM_REQUEST, 1, 0xa1, 120]],
  ['input', [Protocol.ROOM_INPUT_RELIABLE, 1]],
  ['nothing', []],
])('a frame with %s, which our client never sends, ends the connection unanswered', async (_name, bytes) => {
  const client = await connectRaw(server, lobby);
  client.send(...bytes);
  client.send(Protocol.JOIN_ROOM);
  await server.until(() => expect(client.closeCode).toBe(1006));
  expect(client.received).toHaveLength(1);
});

test('a flood of frames of any kind ends the connection, before and after the join', async () => {
  const { client: bystander } = await enter(server, lobby);
  for (const isJoined of [false, true]) {
    const client = await connectRaw(server, lobby);
    if (isJoined) client.send(Protocol.JOIN_ROOM);
    for (let i = 0; i < 2 * ENTRANCE_LIMITS.framesPerSocket.burst; i++) client.send(Protocol.PING);
    await server.until(() => expect(client.closeCode).toBe(1006));
  }
  expect(bystander.closeCode).toBeUndefined();
});

test('more bytes than the budget end the connection', async () => {
  const client = await connectRaw(server, lobby);
  client.send(Protocol.JOIN_ROOM);
  const frame = Array<number>(ENTRANCE_LIMITS.maxMessageBytes).fill(Protocol.PING);
  const frames = (2 * ENTRANCE_LIMITS.bytesPerSocket.burst) / frame.length;
  for (let i = 0; i < frames; i++) client.send(...frame);
  await server.until(() => expect(client.closeCode).toBe(1006));
});

test.each([
  ['with references', laughingFrame(7)],
  ['whose type hides them', disguisedFrame(7)],
])('a small frame %s that would take seconds to decode is not decoded', async (_name, frame) => {
  const { client: bystander } = await enter(server, lobby);
  const client = await connectRaw(server, lobby);
  client.send(Protocol.JOIN_ROOM);
  const before = process.cpuUsage();
  client.send(...frame);
  await server.until(() => expect(client.closeCode).toBe(1006));
  const { user, system } = process.cpuUsage(before);
  expect((user + system) / 1_000).toBeLessThan(1_000);
  expect(bystander.closeCode).toBeUndefined();
});

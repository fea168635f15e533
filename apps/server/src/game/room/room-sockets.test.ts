import { clientFrame, firstFrame, serverTypeOf } from '@engulf/protocol/room/compact-frames';
import { ROOM_NAME } from '@engulf/protocol/room/join';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { MAX_MESSAGE_BYTES } from '@engulf/protocol/wire/frame-walk';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { enter } from '../../../testing/game/arena-client.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../../../testing/game/arena-server.ts';
import { issueTicket } from '../../../testing/game/memory-ports.ts';
import { connectRaw, type RawClient } from '../../../testing/game/raw-socket.ts';
import { freeLobby } from '../../../testing/game/test-lobbies.ts';
import { ENTRANCE_LIMITS } from '../limits.ts';

const lobby = freeLobby();
const HANDSHAKE_SECONDS = ENTRANCE_LIMITS.handshakeWithinMs / 1000;
const ABNORMAL = 1006;
let server: ArenaServer;

beforeAll(async () => {
  server = await startArenaServer([lobby], QUICK_RULES);
});
afterAll(() => server.stop());

function joinFrame(protocolVersion = PROTOCOL_VERSION): Uint8Array {
  const { ticket } = issueTicket(server.ports, lobby);
  const options = { type: 'player', lobbyId: lobby.id, joinTicket: ticket };
  return firstFrame('join', { room: ROOM_NAME, options, protocolVersion });
}

const typesOf = ({ received }: RawClient) => received.map((frame) => serverTypeOf(frame as Uint8Array));

async function join(): Promise<RawClient> {
  const client = await connectRaw(server);
  client.send(joinFrame());
  await vi.waitFor(() => expect(typesOf(client)).toContain('welcome'));
  return client;
}

test('a socket that never joins is closed at the deadline', async () => {
  const silent = await connectRaw(server);
  await server.play(HANDSHAKE_SECONDS - 1);
  expect(silent.closeCode).toBeUndefined();
  await server.until(() => expect(silent.closeCode).toBe(ABNORMAL));
  expect(silent.received).toEqual([]);
});

test('a socket that has joined stays', async () => {
  const client = await join();
  await server.play(HANDSHAKE_SECONDS + 1);
  expect(client.closeCode).toBeUndefined();
  client.socket.terminate();
});

test.each([
  ['of an outdated client', () => joinFrame(PROTOCOL_VERSION - 1)],
  ['that is a message to the room', () => clientFrame('fullUpdate')],
  ['of nobody', () => firstFrame('resume', { token: 'x', protocolVersion: PROTOCOL_VERSION })],
  ['without anything', () => new Uint8Array()],
  ['that is no message', () => Uint8Array.of(255, 1, 2)],
])('a first frame %s is answered with an error, and the socket is closed', async (_name, frame) => {
  const client = await connectRaw(server);
  client.send(frame());
  await vi.waitFor(() => expect(client.closeCode).toBe(CLOSE_CODES.refused));
  expect(typesOf(client)).toEqual(['error']);
});

test('a second join on the same socket is no message to the room', async () => {
  const client = await join();
  client.send(joinFrame());
  await vi.waitFor(() => expect(typesOf(client)).toContain('error'));
  expect(client.closeCode).toBeUndefined();
  client.socket.terminate();
});

test.each([
  ['before it has joined', () => connectRaw(server)],
  ['after it has joined', join],
])('a flood of frames ends the connection of a client %s', async (_name, open) => {
  const { client: bystander } = await enter(server, lobby);
  for (const flood of [
    (client: RawClient) => client.send(Uint8Array.of(99)),
    (client: RawClient) => client.send('{}'),
    (client: RawClient) => client.socket.ping(),
    (client: RawClient) => client.socket.pong(),
  ]) {
    const client = await open();
    for (let i = 0; i < 2 * ENTRANCE_LIMITS.framesPerSocket.burst; i++) flood(client);
    await server.until(() => expect(client.closeCode).toBeDefined());
  }
  expect(bystander.closeCode).toBeUndefined();
});

test.each([
  ['the first piece', (client: RawClient) => client.socket.send(Uint8Array.of(99), { fin: false })],
  [
    'a text in pieces of nothing',
    (client: RawClient) => client.socket.send(new Uint8Array(), { fin: false, binary: false }),
  ],
])('%s of a message ends the connection, since no client of ours sends pieces', async (_name, send) => {
  const client = await join();
  send(client);
  await server.until(() => expect(client.closeCode).toBe(ABNORMAL));
});

test('more bytes than the budget end the connection', async () => {
  const client = await join();
  const frame = clientFrame('chat', { message: 'x'.repeat(2_000) });
  const frames = (2 * ENTRANCE_LIMITS.bytesPerSocket.burst) / frame.length;
  for (let i = 0; i < frames; i++) client.send(frame);
  await server.until(() => expect(client.closeCode).toBe(ABNORMAL));
});

test('a message that is too long ends the connection', async () => {
  const client = await join();
  client.send(new Uint8Array(MAX_MESSAGE_BYTES + 1));
  await server.until(() => expect(client.closeCode).toBe(1009));
});

test('JSON that is as deep as it is long is refused at once', async () => {
  const client = await join();
  const half = MAX_MESSAGE_BYTES / 2 - 1;
  client.send(Buffer.concat([Buffer.of(9), Buffer.from('['.repeat(half) + ']'.repeat(half))]));
  await vi.waitFor(() => expect(typesOf(client)).toContain('chatError'));
  client.socket.terminate();
});

test('a client that does not read is disconnected', async () => {
  const { client, seat: deaf } = await enter(server, lobby);
  const { client: talker, seat } = await enter(server, lobby);
  client.socket.pause();
  const visitor = { userId: seat.userId, address: '' };
  await server.until(
    () => expect(server.ports.settled.has(deaf.entryId)).toBe(true),
    () => {
      for (let i = 0; i < 50; i++) void server.chat.write(visitor, lobby.id, 'x'.repeat(4_000));
    },
  );
  expect(talker.closeCode).toBeUndefined();
});

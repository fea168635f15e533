import { once } from 'node:events';
import { createServer } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import type { Writable } from 'node:stream';
import { ok } from '@engulf/domain/errors/result';
import { clientFrame, firstFrame } from '@engulf/protocol/room/compact-frames';
import { ROOM_NAME } from '@engulf/protocol/room/join';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import * as ws from 'ws';
import { createManualClock } from '../../../testing/game/manual-clock.ts';
import { createEntrance } from '../entrance/entrance.ts';
import { openRoomSockets, type RoomSockets } from './accept.ts';

/* Real sockets whose small frames all pass through one buffer: what one client sends must never show up as another's. */

const CLIENTS = 12;
const UPGRADE =
  'GET / HTTP/1.1\r\nHost: x\r\nConnection: Upgrade\r\nUpgrade: websocket\r\nSec-WebSocket-Version: 13\r\n' +
  'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n\r\n';
const CHAT = 9;
const JOIN = firstFrame('join', {
  room: ROOM_NAME,
  options: { type: 'player', lobbyId: 'lobby' },
  protocolVersion: PROTOCOL_VERSION,
});

const server = createServer();
let sockets: RoomSockets;
/** What each client's room got, kept as it came. */
let received: Map<string, Buffer[]>;
let closed: string[];

beforeAll(async () => {
  const entrance = createEntrance({
    clock: createManualClock(),
    log: () => {},
    addressOf: ({ socket }) => String(socket.remotePort),
    isOwnOrigin: () => true,
    limitScale: 1,
  });
  sockets = openRoomSockets(entrance);
  sockets.enter = async (_hello, _connection, { address }) => {
    const kept: Buffer[] = [];
    received.set(address, kept);
    return ok({
      receive: (_type, body) => void kept.push(Buffer.from(body as Uint8Array)),
      isOver: () => false,
      gone: () => void closed.push(address),
    });
  };
  server.on('upgrade', (request, socket, head) => sockets.accept(request, socket, head));
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
});
afterAll(() => {
  server.closeAllConnections();
  server.close();
});

function frame(head: number, body: Uint8Array, mask: Uint8Array): Buffer {
  const length = body.length <= 125 ? [body.length] : [126, body.length >> 8, body.length & 255];
  const masked = body.map((byte, i) => byte ^ mask[i & 3]!);
  return Buffer.from([head, length[0]! | 0x80, ...length.slice(1), ...mask, ...masked]);
}

/** The body of a message, and its frames. */
type Sent = { readonly message: Buffer; readonly bytes: Buffer };

const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
const body = (maxLength: number) =>
  fc.uint8Array({ minLength: 1, maxLength }).map((rest) => Uint8Array.of(CHAT, ...rest));
const sent: fc.Arbitrary<Sent> = fc.oneof(
  ...[10, 10, 10, 120, 3_000].map((maxLength) =>
    fc
      .tuple(body(maxLength), mask)
      .map(([all, key]) => ({ message: Buffer.from(all.subarray(1)), bytes: frame(0x82, all, key) })),
  ),
  fc.tuple(body(100), mask).map(([all, key]) => ({
    message: Buffer.from(all.subarray(1)),
    bytes: Buffer.concat([frame(0x89, all.subarray(0, 9), key), frame(0x82, all, key)]),
  })),
);
/** Sizes of the pieces in which a client writes; none if each message is one. */
const pieces = fc.option(fc.array(fc.integer({ min: 9, max: 20_000 }), { minLength: 1 }), { nil: undefined });
const clients = fc.array(fc.record({ sent: fc.array(sent, { minLength: 1, maxLength: 8 }), pieces }), {
  minLength: CLIENTS,
  maxLength: CLIENTS,
});

const turn = () => new Promise((resolve) => setImmediate(resolve));

function cut(bytes: Buffer, sizes: readonly number[]): Buffer[] {
  const parts: Buffer[] = [];
  for (let at = 0; at < bytes.length; at += parts.at(-1)!.length) {
    parts.push(bytes.subarray(at, at + sizes[parts.length % sizes.length]!));
  }
  return parts;
}

async function write(socket: Socket, parts: readonly Buffer[]): Promise<void> {
  for (const part of parts) {
    socket.write(part);
    await turn();
  }
}

test('whatever many clients write at once, each room gets what its own client sent, and it stays as it came', async () => {
  await fc.assert(
    fc.asyncProperty(clients, async (all) => {
      received = new Map();
      closed = [];
      const joinBytes = frame(0x82, JOIN, new Uint8Array(4));
      const open = all.map(({ sent: messages, pieces: sizes }) => {
        const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
        socket.resume();
        socket.setNoDelay();
        // The first frames may come with the request, before the server has answered.
        const parts = [Buffer.from(UPGRADE), joinBytes, ...messages.map(({ bytes }) => bytes)];
        const written = write(socket, sizes ? cut(Buffer.concat(parts), sizes) : parts);
        return { socket, messages, written };
      });
      try {
        await Promise.all(open.map(({ written }) => written));
        for (const { socket, messages } of open) {
          const expected = messages.map(({ message }) => message.toString('hex'));
          await vi.waitFor(() => {
            const got = received.get(String(socket.localPort)) ?? [];
            expect(got.map((message) => message.toString('hex'))).toEqual(expected);
          }, 5_000);
        }
      } finally {
        for (const { socket } of open) socket.destroy();
      }
    }),
    { numRuns: 25, endOnFailure: true },
  );
});

test('the room is told once that a client is gone', async () => {
  received = new Map();
  closed = [];
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.resume();
  socket.write(Buffer.concat([Buffer.from(UPGRADE), frame(0x82, JOIN, new Uint8Array(4))]));
  await vi.waitFor(() => expect(received.size).toBe(1));
  const pointer = clientFrame('movement', { x: 4, y: 8, seq: 1 });
  socket.write(frame(0x82, pointer, Uint8Array.of(1, 2, 3, 4)));
  const [kept] = received.values();
  await vi.waitFor(() => expect(kept).toEqual([Buffer.from(pointer.subarray(1))]));
  socket.destroy();
  const own = [...received.keys()];
  await vi.waitFor(() => expect(closed.filter((address) => own.includes(address))).toEqual(own));
});

/** The part of `ws` that reads, which its types leave out. */
const { Receiver } = ws as unknown as { readonly Receiver: { readonly prototype: Writable } };

test('what a client sends after we have closed is dropped unread, until it agrees', async () => {
  received = new Map();
  closed = [];
  const { enter } = sockets;
  let end: (() => unknown) | undefined;
  sockets.enter = (hello, connection, visitor) => {
    end = () => connection.close(CLOSE_CODES.left);
    return enter(hello, connection, visitor);
  };
  const socket = connect((server.address() as AddressInfo).port, '127.0.0.1');
  socket.resume();
  socket.write(Buffer.concat([Buffer.from(UPGRADE), frame(0x82, JOIN, new Uint8Array(4))]));
  await vi.waitFor(() => expect(received.size).toBe(1));
  sockets.enter = enter;
  const read = vi.spyOn(Receiver.prototype, 'write');
  end!();
  const key = Uint8Array.of(1, 2, 3, 4);
  const text = frame(0x81, Buffer.from('{}'), key);
  await write(socket, [text, text, text, frame(0x88, new Uint8Array(), key)]);
  await once(socket, 'close');
  expect(read).not.toHaveBeenCalled();
  read.mockRestore();
});

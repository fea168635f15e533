import { EventEmitter } from 'node:events';
import { PassThrough, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { Protocol } from '@colyseus/core';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as ws from 'ws';
import { createEntrance } from '../entrance/entrance.ts';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { createManualClock } from '../testing/manual-clock.ts';
import { kindOfChunk } from './frame-reader.ts';
import { createOutbox } from './outbox.ts';
import { guardSocket } from './socket-guard.ts';

/** The part of `ws` that reads, which its types leave out. */
const { Receiver } = ws as unknown as { readonly Receiver: new (options: object) => Writable };

type Frame = {
  readonly head: number;
  readonly body: Uint8Array;
  readonly mask: Uint8Array;
  /** Also where one byte would do, which `ws` takes too. */
  readonly hasLongLength?: boolean;
};

const { maxMessageBytes } = ENTRANCE_LIMITS;

const BINARY = 0x82;
const PING = 0x89;
const PONG = 0x8a;

function toBytes({ head, body, mask, hasLongLength = body.length > 125 }: Frame): Buffer {
  const length = hasLongLength ? [126, body.length >> 8, body.length & 255] : [body.length];
  return Buffer.of(
    head,
    length[0]! | 0x80,
    ...length.slice(1),
    ...mask,
    ...body.map((byte, i) => byte ^ mask[i & 3]!),
  );
}

const mask = fc.uint8Array({ minLength: 4, maxLength: 4 });
const message = (maxLength: number) =>
  fc.uint8Array({ maxLength }).map((body) => Uint8Array.of(Protocol.ROOM_DATA_BYTES, 1, ...body));
function longBody(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => [Protocol.ROOM_DATA_BYTES, 1][i] ?? i & 255);
}

/** What makes up one message, or one frame of control. */
const frames: fc.Arbitrary<readonly Frame[]> = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({ head: fc.constant(BINARY), body: message(20), mask }).map((one) => [one]),
  },
  fc
    .record({ head: fc.constant(BINARY), body: message(400), mask, hasLongLength: fc.constant(true) })
    .map((one) => [one]),
  fc
    .constantFrom(125, 126, 127, maxMessageBytes - 1, maxMessageBytes)
    .map((length) => [{ head: BINARY, body: longBody(length), mask: Uint8Array.of(1, 2, 4, 8) }]),
  fc
    .record({ head: fc.constantFrom(PING, PONG), body: fc.uint8Array({ maxLength: 125 }), mask })
    .map((one) => [one]),
  fc.record({ body: message(60), mask }).map(({ body, mask: same }) => [
    { head: 0x02, body: body.subarray(0, 1), mask: same },
    { head: 0x80, body: body.subarray(1), mask: same },
  ]),
);

/** What comes out of a socket that is read as `ws` reads it, with the guard before it or without. */
function receive(chunks: readonly Buffer[], isGuarded: boolean): string[] {
  const received: string[] = [];
  const stream = new PassThrough();
  const receiver = new Receiver({ isServer: true, maxPayload: maxMessageBytes });
  const socket = Object.assign(new EventEmitter(), {
    bufferedAmount: 0,
    readyState: WebSocket.OPEN as number,
    send: () => {},
    close: () => {},
    terminate: () => received.push('terminated'),
  });
  for (const event of ['message', 'ping', 'pong']) {
    receiver.on(event, (...parameters) => socket.emit(event, ...parameters));
    socket.on(event, (data: Buffer) => received.push(`${event} ${data.toString('hex')}`));
  }
  receiver.on('error', (error) => received.push(error.message));
  stream.on('data', (chunk: Buffer) => receiver.write(chunk));
  if (isGuarded) {
    const clock = createManualClock();
    const door = {
      clock,
      log: () => {},
      addressOf: () => '10.0.0.1',
      isOwnOrigin: () => true,
      limitScale: 1,
    };
    guardSocket(socket, { stream, outbox: createOutbox(stream) }, createEntrance(door));
  }
  for (const chunk of chunks) stream.emit('data', Buffer.from(chunk));
  return received;
}

/** One chunk from each of these places to the next. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places)].sort((a, b) => a - b);
  return [0, ...ends]
    .map((from, i) => bytes.subarray(from, ends[i] ?? bytes.length))
    .filter(({ length }) => length > 0);
}

test('whatever the chunks, the same comes out in the same order as from `ws` alone', () => {
  const cases = fc
    .array(frames, { minLength: 1, maxLength: 12 })
    .map((parts) => parts.flat().map(toBytes))
    .chain((whole) => {
      let end = 0;
      const ends = whole.map(({ length }) => (end += length));
      const bytes = Buffer.concat(whole);
      return fc
        .tuple(fc.subarray(ends), fc.array(fc.nat(bytes.length), { maxLength: 2 }))
        .map(([atFrames, anywhere]) => ({
          bytes,
          places: [...atFrames, ...anywhere],
        }));
    });
  fc.assert(
    fc.property(cases, ({ bytes, places }) => {
      const chunks = cut(bytes, places);
      expect(receive(chunks, true)).toEqual(receive(chunks, false));
    }),
    { numRuns: 500 },
  );
});

const body = Uint8Array.of(Protocol.ROOM_DATA_BYTES, 1, 2, 3);
const pointer = toBytes({ head: BINARY, body, mask: Uint8Array.of(9, 8, 7, 6) });
const longMessage = (length: number) => toBytes({ head: BINARY, body: longBody(length), mask: body });

test.each([
  ['pointers', Buffer.concat([pointer, pointer]), 'simple'],
  ['long messages', Buffer.concat([126, maxMessageBytes].map(longMessage)), 'simple'],
  ['a message that is too long', longMessage(maxMessageBytes + 1), 'whole'],
  [
    'a length in more bytes than it takes',
    toBytes({ head: BINARY, body, mask: body, hasLongLength: true }),
    'whole',
  ],
  ['a long pong', toBytes({ head: PONG, body: longBody(126), mask: body }), 'whole'],
  ['a long text', toBytes({ head: 0x81, body: longBody(126), mask: body }), 'whole'],
  ['a long message but for its last byte', longMessage(126).subarray(0, -1), 'broken'],
  ['half a length', longMessage(126).subarray(0, 3), 'broken'],
  ['a ping', toBytes({ head: PING, body, mask: body }), 'whole'],
  ['half a pointer', pointer.subarray(0, 5), 'broken'],
  ['one byte', pointer.subarray(0, 1), 'broken'],
  ['a pointer and a half', Buffer.concat([pointer, pointer.subarray(0, 9)]), 'broken'],
  ['a part of a message', toBytes({ head: 0x02, body, mask: body }), 'broken'],
  ['a frame without a mask', Buffer.of(BINARY, 1, 1), 'broken'],
  ['a length of eight bytes', Buffer.of(BINARY, 0xff, 0, 0, 0, 0, 0, 0, 0, 0), 'broken'],
  ['a reserved bit', toBytes({ head: 0xc2, body, mask: body }), 'whole'],
] as const)('%s', (_name, chunk, kind) => {
  expect(kindOfChunk(chunk)).toBe(kind);
});

test.each([
  ['message', longMessage(maxMessageBytes + 1), 'Max payload size exceeded'],
  ['pong', toBytes({ head: PONG, body: longBody(126), mask: body }), 'invalid payload length'],
])('a %s that is too long is refused as `ws` refuses it', async (_name, tooLong, error) => {
  const chunks = [longMessage(maxMessageBytes), Buffer.concat([longMessage(126), tooLong, pointer])];
  const received = receive(chunks, true);
  const expected = receive(chunks, false);
  await setImmediate();
  expect(received).toEqual(expected);
  expect(received).toEqual([expect.any(String), expect.any(String), expect.stringContaining(error)]);
});

test('what is wrong with a frame is told as `ws` tells it, and a reader of broken chunks never takes over again', async () => {
  const reserved = toBytes({ head: 0xc2, body, mask: body });
  const chunks = [pointer, pointer.subarray(0, 5), pointer.subarray(5), pointer, reserved];
  const received = receive(chunks, true);
  const expected = receive(chunks, false);
  // It tells errors a moment later.
  await setImmediate();
  expect(received).toEqual(expected);
  expect(received.at(-1)).toMatch('RSV1');
});

test('frames after the one that ends the connection are not looked at', () => {
  const unknown = toBytes({ head: BINARY, body: Uint8Array.of(0xee), mask: body });
  expect(receive([Buffer.concat([pointer, unknown, pointer])], true)).toEqual([
    `message ${Buffer.from(body).toString('hex')}`,
    'terminated',
  ]);
});

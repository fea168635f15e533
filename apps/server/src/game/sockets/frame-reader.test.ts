import { PassThrough, type Writable } from 'node:stream';
import { setImmediate } from 'node:timers/promises';
import { createFrameWalk, MAX_MESSAGE_BYTES, walkFrames } from '@engulf/protocol/wire/frame-walk';
import fc from 'fast-check';
import { expect, test } from 'vitest';
import * as ws from 'ws';
import { readFrames } from './frame-reader.ts';
import { createWire } from './wire.ts';

/** The part of `ws` that reads, which its types leave out. */
const { Receiver } = ws as unknown as { readonly Receiver: new (options: object) => Writable };

type Frame = {
  readonly head: number;
  readonly body: Uint8Array;
  readonly mask: Uint8Array;
  /** Also where one byte would do, which `ws` takes too. */
  readonly hasLongLength?: boolean;
};

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
  fc.uint8Array({ maxLength }).map((body) => Uint8Array.of(3, 1, ...body));
function longBody(length: number): Uint8Array {
  return Uint8Array.from({ length }, (_, i) => i & 255);
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
    .constantFrom(125, 126, 127, MAX_MESSAGE_BYTES - 1, MAX_MESSAGE_BYTES)
    .map((length) => [{ head: BINARY, body: longBody(length), mask: Uint8Array.of(1, 2, 4, 8) }]),
  fc
    .record({ head: fc.constantFrom(PING, PONG), body: fc.uint8Array({ maxLength: 125 }), mask })
    .map((one) => [one]),
);

/** What comes out of a socket, and how many frames were counted, with the reader before `ws` or without. */
async function receive(chunks: readonly Buffer[], hasReader: boolean) {
  const received: string[] = [];
  const stream = new PassThrough();
  const receiver = new Receiver({ isServer: true, maxPayload: MAX_MESSAGE_BYTES });
  for (const event of ['message', 'ping', 'pong']) {
    receiver.on(event, (data: Buffer) => received.push(`${event} ${data.toString('hex')}`));
  }
  receiver.on('error', (error) => received.push(error.message));
  const walk = createFrameWalk();
  let counted = 0;
  const wire = createWire(stream, (chunk) => {
    if (!hasReader) return true;
    walkFrames(walk, chunk);
    counted += walk.frames;
    if (walk.isSimple) readFrames(chunk, (body) => received.push(`message ${body.toString('hex')}`));
    return !walk.isSimple;
  });
  wire.on('data', (chunk: Buffer) => receiver.write(chunk));
  for (const chunk of chunks) {
    stream.write(Buffer.from(chunk));
    await setImmediate();
  }
  // Errors are told a moment later.
  await setImmediate();
  return { received, counted };
}

/** One chunk from each of these places to the next. */
function cut(bytes: Buffer, places: readonly number[]): Buffer[] {
  const ends = [...new Set(places)].sort((a, b) => a - b);
  return [0, ...ends]
    .map((from, i) => bytes.subarray(from, ends[i] ?? bytes.length))
    .filter(({ length }) => length > 0);
}

test('whatever the chunks, the same comes out in the same order as from `ws` alone, and every frame is counted', async () => {
  const cases = fc
    .array(frames, { minLength: 1, maxLength: 12 })
    .map((parts) => parts.flat().map(toBytes))
    .chain((whole) => {
      let end = 0;
      const ends = whole.map(({ length }) => (end += length));
      const bytes = Buffer.concat(whole);
      return fc
        .tuple(fc.subarray(ends), fc.array(fc.nat(bytes.length), { maxLength: 6 }))
        .map(([atFrames, anywhere]) => ({ bytes, count: whole.length, places: [...atFrames, ...anywhere] }));
    });
  await fc.assert(
    fc.asyncProperty(cases, async ({ bytes, count, places }) => {
      const chunks = cut(bytes, places);
      const { received, counted } = await receive(chunks, true);
      expect(received).toEqual((await receive(chunks, false)).received);
      expect(counted).toBe(count);
    }),
    { numRuns: 500 },
  );
});

const body = Uint8Array.of(3, 1, 2, 3);
const pointer = toBytes({ head: BINARY, body, mask: Uint8Array.of(9, 8, 7, 6) });
const longMessage = (length: number) => toBytes({ head: BINARY, body: longBody(length), mask: body });

test.each([
  ['pointers', Buffer.concat([pointer, pointer]), true],
  ['long messages', Buffer.concat([126, MAX_MESSAGE_BYTES].map(longMessage)), true],
  ['a message that is too long', longMessage(MAX_MESSAGE_BYTES + 1), false],
  [
    'a length in more bytes than it takes',
    toBytes({ head: BINARY, body, mask: body, hasLongLength: true }),
    true,
  ],
  ['a text', toBytes({ head: 0x81, body, mask: body }), false],
  ['a ping', toBytes({ head: PING, body, mask: body }), false],
  ['a pong', toBytes({ head: PONG, body, mask: body }), false],
  ['half a length', longMessage(126).subarray(0, 3), false],
  ['half a pointer', pointer.subarray(0, 5), false],
  ['one byte', pointer.subarray(0, 1), false],
  ['a pointer and a half', Buffer.concat([pointer, pointer.subarray(0, 9)]), false],
  ['a part of a message', toBytes({ head: 0x02, body, mask: body }), false],
  ['the rest of a message', toBytes({ head: 0x80, body, mask: body }), false],
  ['a frame without a mask', Buffer.of(BINARY, 1, 1), false],
  ['a length of eight bytes', Buffer.of(BINARY, 0xff, 0, 0, 0, 0, 0, 0, 0, 0), false],
  ['a reserved bit', toBytes({ head: 0xc2, body, mask: body }), false],
] as const)('%s: read without `ws`?', (_name, chunk, isSimple) => {
  const walk = createFrameWalk();
  walkFrames(walk, chunk);
  expect(walk.isSimple).toBe(isSimple);
});

test('after a frame that came in several chunks the reader takes over again', () => {
  const walk = createFrameWalk();
  const simple = [pointer, pointer.subarray(0, 5), pointer.subarray(5), pointer].map((chunk) => {
    walkFrames(walk, chunk);
    return walk.isSimple;
  });
  expect(simple).toEqual([true, false, false, true]);
});

test.each([
  ['a binary message', 0x02, true],
  ['a text', 0x01, true],
  ['the middle', 0x00, true],
  ['the end', 0x80, true],
  ['a whole message', BINARY, false],
  ['a whole text', 0x81, false],
  ['a ping', PING, false],
])('%s: a piece of a message, wherever it is cut?', (_name, head, hasPiece) => {
  const bytes = Buffer.concat([pointer, toBytes({ head, body, mask: body })]);
  for (let at = 0; at <= bytes.length; at++) {
    const walk = createFrameWalk();
    for (const chunk of [bytes.subarray(0, at), bytes.subarray(at)]) walkFrames(walk, chunk);
    expect(walk.hasPiece).toBe(hasPiece);
  }
});

test.each([
  ['message', longMessage(MAX_MESSAGE_BYTES + 1), 'Max payload size exceeded'],
  ['pong', toBytes({ head: PONG, body: longBody(126), mask: body }), 'invalid payload length'],
  ['reserved bit', toBytes({ head: 0xc2, body, mask: body }), 'RSV1'],
])('a bad %s is refused as `ws` refuses it', async (_name, bad, error) => {
  const chunks = [longMessage(MAX_MESSAGE_BYTES), Buffer.concat([longMessage(126), bad, pointer])];
  const { received } = await receive(chunks, true);
  expect(received).toEqual((await receive(chunks, false)).received);
  expect(received.at(-1)).toContain(error);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createArenaDecoder } from './decode/arena-decoder.ts';
import { decodeUpdate } from './decode/decode-update.ts';
import { captureFrame, createArenaFrame } from './encode/arena-frame.ts';
import { encodeView } from './encode/encode-view.ts';
import { requestFull } from './encode/view-stream.ts';
import { createBitReader, createBitWriter, finishWriting } from './format/bits.ts';
import { type ChunkRect, createChunkRect, readRect, writeRect } from './format/chunk-rect.ts';
import { assertSees } from './testing/assert-sees.ts';
import { cardOf, createLivelyArena, playOn } from './testing/lively-arena.ts';
import { createWatcher, watch } from './testing/watcher.ts';
import { aimAtWorld } from './view.ts';

const OUTCOMES = ['applied', 'needsFull'];

function createScene() {
  const arena = createLivelyArena(7, 6, 6);
  const frame = createArenaFrame(arena.world, cardOf(arena.world));
  const watcher = createWatcher(frame);
  aimAtWorld(watcher.viewer, arena.world.rules.worldSize);
  for (let tick = 0; tick < 100; tick++) {
    playOn(arena);
    captureFrame(frame);
  }
  return { arena, frame, watcher };
}

test('a fresh decoder never throws on random bytes', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 400 }), (bytes) => {
      expect(OUTCOMES).toContain(decodeUpdate(createArenaDecoder(), bytes));
    }),
    { numRuns: 2000 },
  );
});

test('random bytes in mid-play never throw, and a full snapshot repairs the view', () => {
  const { arena, frame, watcher } = createScene();
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 200 }), fc.boolean(), (bytes, isNext) => {
      requestFull(watcher.stream);
      expect(watch(frame, watcher)).toBe('applied');
      // The expected sequence number gets the garbage past the first check.
      if (isNext && bytes.length > 0) bytes[0] = (watcher.stream.sequence + 1) << 2;
      expect(OUTCOMES).toContain(decodeUpdate(watcher.decoder, bytes));
    }),
    { numRuns: 300 },
  );
  requestFull(watcher.stream);
  expect(watch(frame, watcher)).toBe('applied');
  assertSees(arena.world, watcher);
});

test('a truncated message is refused, and so is one with trailing bytes', () => {
  const { frame, watcher } = createScene();
  const full = encodeView(frame, watcher.stream, watcher.viewer).slice();
  for (let length = 0; length < full.length; length++) {
    expect(decodeUpdate(createArenaDecoder(), full.subarray(0, length))).toBe('needsFull');
  }
  expect(decodeUpdate(createArenaDecoder(), new Uint8Array([...full, 0]))).toBe('needsFull');
  expect(decodeUpdate(createArenaDecoder(), full)).toBe('applied');
});

test('a message with a flipped bit never throws', () => {
  const { arena, frame, watcher } = createScene();
  const full = encodeView(frame, watcher.stream, watcher.viewer).slice();
  playOn(arena);
  captureFrame(frame);
  const delta = encodeView(frame, watcher.stream, watcher.viewer).slice();
  const flipped = (bytes: Uint8Array, bit: number) =>
    bytes.map((b, i) => (i === bit >> 3 ? b ^ (1 << (bit & 7)) : b));
  for (let bit = 0; bit < delta.length * 8; bit += 3) {
    const decoder = createArenaDecoder();
    decodeUpdate(decoder, full);
    expect(OUTCOMES).toContain(decodeUpdate(decoder, flipped(delta, bit)));
  }
  for (let bit = 0; bit < full.length * 8; bit += 23) {
    expect(OUTCOMES).toContain(decodeUpdate(createArenaDecoder(), flipped(full, bit)));
  }
});

test('inconsistent messages are refused', () => {
  const { arena, frame, watcher } = createScene();
  const crowded = { ...frame, header: { ...frame.header, maxBodies: 1 } };
  expect(watch(crowded, watcher)).toBe('needsFull');
  requestFull(watcher.stream);
  expect(watch(frame, watcher)).toBe('applied');
  for (let tick = 0; tick < 2; tick++) {
    playOn(arena);
    captureFrame(frame);
  }
  const noTimePassed = encodeView(frame, watcher.stream, watcher.viewer).slice();
  // The gap follows the six bits of the head.
  expect((noTimePassed[0]! >> 6) | ((noTimePassed[1]! & 63) << 2)).toBe(2);
  noTimePassed[0]! &= 63;
  noTimePassed[1]! &= 192;
  expect(decodeUpdate(watcher.decoder, noTimePassed)).toBe('needsFull');
});

test('a rectangle of chunks is read as it was written, and refused beyond the world or inside out', () => {
  const read = (from: ChunkRect, to: ChunkRect) => {
    const writer = createBitWriter(8);
    writeRect(writer, to, from);
    const reader = createBitReader(finishWriting(writer));
    const rect = { ...from };
    readRect(reader, rect, 10);
    return reader.isMalformed ? 'malformed' : rect;
  };
  const nothing = createChunkRect();
  const rect = { left: 2, top: 3, right: 6, bottom: 9 };
  expect(read(nothing, rect)).toEqual(rect);
  expect(read(rect, rect)).toEqual(rect);
  for (const next of [
    { left: 1, top: 4, right: 7, bottom: 8 },
    { left: 3, top: 2, right: 5, bottom: 9 },
    { left: 0, top: 0, right: 9, bottom: 9 },
  ]) {
    expect(read(rect, next)).toEqual(next);
  }
  for (const next of [
    { ...rect, bottom: 10 },
    { ...rect, right: 1 },
    { ...nothing, left: -1, right: 0, bottom: 0 },
  ]) {
    expect(read(next.left < 0 ? nothing : rect, next)).toBe('malformed');
  }
});

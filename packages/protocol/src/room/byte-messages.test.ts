import { POINTER_STEP, quantisePointer } from '@engulf/sim/pointer';
import { expect, test } from 'vitest';
import {
  MAX_POINTER_WORLD,
  movementBytes,
  POINTER_STEP_WORLD,
  pingBytes,
  pressBytes,
} from './byte-messages.ts';

test('every pointer that the arena tells apart survives in four bytes, with every number', () => {
  expect(POINTER_STEP_WORLD).toBe(POINTER_STEP);
  for (let x = -MAX_POINTER_WORLD; x <= MAX_POINTER_WORLD; x += POINTER_STEP) {
    const y = quantisePointer(-x / 3);
    const seq = Math.abs(x / POINTER_STEP) % 256;
    const bytes = movementBytes.write({ x, y, seq });
    expect(bytes).toHaveLength(4);
    expect(movementBytes.read(bytes)).toEqual({ x, y, seq });
  }
});

test('a pointer beyond the limit is cut to it, and bytes that nobody writes are refused', () => {
  const far = movementBytes.read(movementBytes.write({ x: 1e9, y: -1e9, seq: 255 }));
  expect(far).toEqual({ x: MAX_POINTER_WORLD, y: -MAX_POINTER_WORLD, seq: 255 });
  expect(movementBytes.read(Uint8Array.of(0x00, 0x08, 0, 0))).toBeUndefined();
  expect(movementBytes.read(Uint8Array.of(0, 0, 0x80, 0))).toBeUndefined();
  for (const length of [0, 3, 5]) expect(movementBytes.read(new Uint8Array(length))).toBeUndefined();
});

test('splitting and ejecting take one byte, and nothing else is read as one', () => {
  const { read, write } = pressBytes;
  for (let seq = 0; seq < 256; seq++) expect(read(write({ seq }))).toEqual({ seq });
  for (const length of [0, 2, 4]) expect(read(new Uint8Array(length))).toBeUndefined();
});

test.each([
  { id: 0, timestamp: 0, data: 'x'.repeat(100) },
  { id: Number.MAX_SAFE_INTEGER, timestamp: 1_767_225_600_000.5, data: '\ufeffä世🦠\0'.padEnd(100) },
  { id: 1, timestamp: Number.MAX_VALUE, data: '\uffff'.repeat(100) },
])('ping $id survives as bytes, with its padding, wherever they are in a buffer', (ping) => {
  const bytes = pingBytes.write(ping);
  const buffer = Buffer.concat([Buffer.alloc(3), bytes, Buffer.alloc(9)]);
  expect(pingBytes.read(buffer.subarray(3, 3 + bytes.length))).toEqual(ping);
});

const ping = { id: 7, timestamp: 5, data: 'x'.repeat(100) };

test.each([
  { ...ping, id: -1 },
  { ...ping, id: 0.5 },
  { ...ping, id: 2 ** 53 },
  { ...ping, id: Number.NaN },
  { ...ping, timestamp: -1 },
  { ...ping, timestamp: Number.NaN },
  { ...ping, timestamp: Number.POSITIVE_INFINITY },
  { ...ping, data: 'x'.repeat(101) },
  { ...ping, data: 'x'.repeat(4_000) },
])('%o is no ping', (payload) => {
  expect(pingBytes.read(pingBytes.write(payload))).toBeUndefined();
});

test('too few bytes are no ping', () => {
  for (const length of [0, 1, 15]) expect(pingBytes.read(new Uint8Array(length))).toBeUndefined();
});

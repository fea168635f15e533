import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  bitsFor,
  createBitReader,
  createBitWriter,
  finishWriting,
  isFullyRead,
  readBits,
  readSigned,
  readVar,
  resetWriter,
  writeBits,
  writeVar,
} from './bits.ts';

const number = fc
  .integer({ min: 1, max: 24 })
  .chain((count) =>
    fc.record({ count: fc.constant(count), value: fc.integer({ min: 0, max: 2 ** count - 1 }) }),
  );

test('numbers of any width survive a round trip', () => {
  const writer = createBitWriter(4096);
  fc.assert(
    fc.property(fc.array(number), fc.array(fc.integer({ min: 0, max: 2 ** 31 - 1 })), (fixed, open) => {
      resetWriter(writer);
      for (const { value, count } of fixed) writeBits(writer, value, count);
      for (const value of open) writeVar(writer, value);
      const reader = createBitReader(finishWriting(writer));
      for (const { value, count } of fixed) expect(readBits(reader, count)).toBe(value);
      for (const value of open) expect(readVar(reader)).toBe(value);
      expect(isFullyRead(reader)).toBe(true);
    }),
  );
});

test('a signed number is restored from its low bits', () => {
  const writer = createBitWriter(8);
  writeBits(writer, -4 & 7, 3);
  writeBits(writer, 3, 3);
  writeBits(writer, -128 & 255, 8);
  const reader = createBitReader(finishWriting(writer));
  expect([readSigned(reader, 3), readSigned(reader, 3), readSigned(reader, 8)]).toEqual([-4, 3, -128]);
});

test('reading past the end, or stopping before it, is detected', () => {
  const tooFar = createBitReader(new Uint8Array([255]));
  expect(readBits(tooFar, 12)).toBe(255);
  expect(isFullyRead(tooFar)).toBe(false);
  const tooShort = createBitReader(new Uint8Array([1, 2]));
  readBits(tooShort, 8);
  expect(isFullyRead(tooShort)).toBe(false);
  const endless = createBitReader(new Uint8Array(32).fill(255));
  readVar(endless);
  expect(endless.isMalformed).toBe(true);
});

test('a message that outgrows its writer throws', () => {
  const writer = createBitWriter(1);
  writeBits(writer, 0, 24);
  expect(() => finishWriting(writer)).toThrow(RangeError);
});

test('bitsFor gives the fewest bits that hold the maximum', () => {
  expect([0, 1, 2, 255, 256, 28_000].map(bitsFor)).toEqual([0, 1, 2, 8, 9, 15]);
});

import { Protocol } from '@colyseus/core';
import { expect, test } from 'vitest';
import { laughingFrame } from '../testing/laughing-frame.ts';
import { hasPlainType, isSafeFrame } from './safe-frame.ts';

const frame = (hex: string) => Uint8Array.of(Protocol.ROOM_DATA, ...Buffer.from(hex, 'hex'));

test.each([
  ['a type alone', '05'],
  ['a type that is a text', 'a178'],
  ['an object as the library writes it', '09d4724092a76d657373616765a673656e646572a26869a178'],
  ['an object with a list', '0bd4724092a7636f6d6d616e64a461726773a46b69636b92a161a162'],
  ['an object with a number', '02d4724091a3736571cc40'],
  ['an object with nothing in a field', '09d4724091a673656e646572d40000'],
  ['an object as other libraries write it', '0281a373657164'],
])('%s is plain', (_name, hex) => {
  expect(isSafeFrame(frame(hex))).toBe(true);
});

test.each([
  ['no type', ''],
  ['more after the value', '02c0c0'],
  ['half a text', '09a3ff'],
  ['a list that is longer than the frame', '09dd00ffffff'],
  ['a byte that means nothing', '09c1'],
  ['lists in lists in lists in lists in a list', '099191919191c0'],
  ['a record in a list', '0991d4724091a161c0'],
  ['a record that is used again', '09d4724091a16140'],
  ['a pattern', '09d5780092a161a0'],
  ['a date', '09d6ff00000000'],
])('%s is not', (_name, hex) => {
  expect(isSafeFrame(frame(hex))).toBe(false);
});

test('references, which make much of few bytes, are not plain', () => {
  expect(isSafeFrame(laughingFrame(7))).toBe(false);
});

/** The same as the value of another type, which takes up the rest for one of the two who read it. */
const laughingAfter = (...type: number[]) => {
  const value = laughingFrame(7).slice(2);
  return Uint8Array.of(Protocol.ROOM_DATA, ...type, ...value, ...Array<number>(512).fill(0xc0)).subarray(
    0,
    516,
  );
};

test.each([
  ['a text whose length is 512 or 2', laughingAfter(0xda, 2, 0, 0x78, 0x79)],
  ['a text whose length has four bytes', laughingAfter(0xdb, 0, 0, 1, 0xfe)],
  ['a text whose length has one byte', frame('d90161')],
  ['an empty text', frame('a0')],
  ['a text that is not ASCII', frame('a180')],
  ['bytes', laughingAfter(0xc4, 0xff)],
  ['a list', laughingAfter(0xdc, 0, 255)],
  ['an object', frame('81a16101')],
  ['nothing', frame('c0')],
  ['a number of two bytes', frame('cc80')],
  ['a negative number', frame('ff')],
])('a type that is %s is not plain', (_name, bytes) => {
  expect(isSafeFrame(bytes)).toBe(false);
  expect(hasPlainType(bytes)).toBe(false);
});

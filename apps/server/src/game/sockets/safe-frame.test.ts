import { Protocol } from '@colyseus/core';
import { expect, test } from 'vitest';
import { disguisedFrame, laughingFrame } from '../testing/laughing-frame.ts';
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

test.each([
  ['a text of 512 letters, or of two', disguisedFrame(6)],
  ['a text whose length has four bytes', frame('db0000000161')],
  ['a text whose length has one byte', frame('d90161')],
  ['an empty text', frame('a0')],
  ['a text that is not ASCII', frame('a180')],
  ['bytes', frame('c40161')],
  ['a list', frame('9101')],
  ['an object', frame('81a16101')],
  ['nothing', frame('c0')],
  ['a number of two bytes', frame('cc80')],
  ['a negative number', frame('ff')],
])('a type that is %s is not plain', (_name, bytes) => {
  expect(isSafeFrame(bytes)).toBe(false);
  expect(hasPlainType(bytes)).toBe(false);
});

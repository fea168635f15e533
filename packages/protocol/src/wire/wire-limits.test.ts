import { expect, test } from 'vitest';
import { createWireLimits } from './wire-limits.ts';

const PING = Uint8Array.of(0x89, 0x80, 0, 0, 0, 0);
const LIMITS = {
  framesPerSocket: { perSecond: 10, burst: 20 },
  bytesPerSocket: { perSecond: 100, burst: 200 },
  framesPerAddress: { perSecond: 20, burst: 50 },
  bytesPerAddress: { perSecond: 200, burst: 500 },
} as const;

function pings(count: number): Uint8Array {
  return Uint8Array.from(Array.from({ length: count }, () => [...PING]).flat());
}

let nowMs = 0;
const countWire = () => createWireLimits(LIMITS, { monotonicMs: () => nowMs }, 1);

test('counts the frames of a socket, which get back over time', () => {
  const { take } = countWire()('10.0.0.1');
  expect(take(pings(20))).toBeUndefined();
  expect(take(PING)).toBe('too many frames');
  nowMs += 100;
  expect(take(PING)).toBeUndefined();
});

test('counts bytes, whatever they are', () => {
  const { take } = countWire()('10.0.0.1');
  expect(take(new Uint8Array(201).fill(0x82))).toBe('too many bytes');
});

test('a frame that comes a byte at a time counts as often as it is read', () => {
  const { take } = countWire()('10.0.0.1');
  const head = Uint8Array.of(0x82, 0x80 | 100, 0, 0, 0, 0);
  const taken = Array.from([...head, ...new Uint8Array(30)], (byte) => take(Uint8Array.of(byte)));
  expect(taken.findIndex((reason) => reason !== undefined)).toBe(20);
});

test('the sockets of an address share what it may send', () => {
  const count = countWire();
  const taken = [0, 1, 2, 3].map(() => count('10.0.0.1').take(pings(15)));
  expect(taken).toEqual([undefined, undefined, undefined, 'too many frames of an address']);
  expect(count('10.0.0.2').take(pings(15))).toBeUndefined();
});

test('a piece of a message ends the socket, and nothing behind it is looked at', () => {
  const wire = countWire()('10.0.0.1');
  const piece = Uint8Array.of(0x01, 0x81, 0, 0, 0, 0, 0);
  expect(wire.take(Uint8Array.of(...PING, ...piece, ...PING))).toBe('a message in pieces');
  expect(wire.walk.frames).toBe(2);
});

import fc from 'fast-check';
import { expect, test } from 'vitest';
import { createBitReader, createBitWriter, finishWriting, isFullyRead, resetWriter } from './bits.ts';
import { addTrack, createTracks, FINE_PER_UNIT, readMotion, writeMotion } from './tracks.ts';

const SCALE = { positionBits: 15, velocityKept: 222 };
const MAX_FINE = 7000 * FINE_PER_UNIT;
const writer = createBitWriter(64);

const coordinate = fc.oneof(
  fc.integer({ min: 0, max: MAX_FINE }),
  fc.integer({ min: 100_000, max: 100_200 }),
  fc.integer({ min: 100_000, max: 101_500 }),
);
const move = fc.record({
  gap: fc.integer({ min: 1, max: 255 }),
  x: coordinate,
  y: coordinate,
  radius: fc.oneof(fc.constant(250), fc.integer({ min: 40, max: 6000 })),
});

test('both sides agree on any motion and are never off by more than a quarter unit', () => {
  fc.assert(
    fc.property(fc.array(move, { maxLength: 60 }), fc.boolean(), (moves, isCoasting) => {
      const sent = createTracks(1);
      const received = createTracks(1);
      addTrack(sent, isCoasting, 12_500, 12_500, 250);
      addTrack(received, isCoasting, 12_500, 12_500, 250);
      for (const { gap, x, y, radius } of moves) {
        const before = received.radius[0];
        resetWriter(writer);
        writeMotion(writer, sent, 0, gap, SCALE, x, y, radius);
        const reader = createBitReader(finishWriting(writer));
        expect(readMotion(reader, received, 0, gap, SCALE)).toBe(before !== radius);
        expect(isFullyRead(reader)).toBe(true);
        expect(received).toEqual(sent);
        expect(Math.abs(received.x[0]! - x)).toBeLessThanOrEqual(8);
        expect(Math.abs(received.y[0]! - y)).toBeLessThanOrEqual(8);
        expect(received.radius[0]).toBe(radius);
      }
    }),
  );
});

/** Average bits per tick of a motion. */
function costOf(isCoasting: boolean, ticks: number, at: (tick: number) => [x: number, y: number]): number {
  const tracks = createTracks(1);
  const [startX, startY] = at(0);
  addTrack(tracks, isCoasting, Math.round(startX * 4), Math.round(startY * 4), 250);
  let bits = 0;
  for (let tick = 1; tick <= ticks; tick++) {
    const [x, y] = at(tick);
    resetWriter(writer);
    const fine = (units: number) => Math.round(units * FINE_PER_UNIT);
    writeMotion(writer, tracks, 0, 1, SCALE, fine(x), fine(y), 250);
    bits += writer.length * 8 + writer.pendingBits;
  }
  return bits / ticks;
}

test('a body at rest costs one bit per tick, a straight line little more, a curve a byte', () => {
  expect(costOf(false, 500, () => [1000, 1000])).toBe(1);
  expect(costOf(false, 500, (tick) => [1000 + tick * 7.13, 1000 + tick * 3.71])).toBeLessThan(1.5);
  const curve = (tick: number): [number, number] => [
    2000 + 400 * Math.cos(tick / 30),
    2000 + 400 * Math.sin(tick / 30),
  ];
  expect(costOf(false, 500, curve)).toBeLessThan(8);
});

test('the fading speed of ejected mass is predicted', () => {
  const kept = SCALE.velocityKept / 256;
  const glide = (tick: number): [number, number] => [1000 + (76 * (1 - kept ** tick)) / (1 - kept), 1000];
  expect(costOf(true, 40, glide)).toBeLessThan(costOf(false, 40, glide) / 2);
});

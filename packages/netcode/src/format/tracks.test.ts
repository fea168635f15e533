import fc from 'fast-check';
import { expect, test } from 'vitest';
import {
  createBitReader,
  createBitWriter,
  finishWriting,
  isFullyRead,
  resetWriter,
  writeWord,
} from './bits.ts';
import { encodeMotion, readMotion } from './motion.ts';
import { createTracks, FINE_PER_UNIT, fineBitsFor, readTrack, startTrack, writeTrack } from './tracks.ts';

const SCALE = { positionBits: 15, fineBits: fineBitsFor(7000), velocityKept: 222 };
const MAX_FINE = 7000 * FINE_PER_UNIT;
const writer = createBitWriter(64);
const word = { low: 0, high: 0, count: 0 };

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
      startTrack(sent, 0, isCoasting, 12_500, 12_500, 250);
      startTrack(received, 0, isCoasting, 12_500, 12_500, 250);
      for (const { gap, x, y, radius } of moves) {
        resetWriter(writer);
        encodeMotion(word, sent, 0, gap, SCALE, x, y, radius);
        writeWord(writer, word.low, word.high, word.count);
        const reader = createBitReader(finishWriting(writer));
        readMotion(reader, received, 0, gap, SCALE);
        expect(isFullyRead(reader)).toBe(true);
        expect(received).toEqual(sent);
        expect(Math.abs(received.x[0]! - x)).toBeLessThanOrEqual(8);
        expect(Math.abs(received.y[0]! - y)).toBeLessThanOrEqual(8);
        expect(received.radius[0]).toBe(radius);
      }
    }),
  );
});

test('a track is read as it was written, whatever its body did before', () => {
  const edge = fc.constantFrom(0, MAX_FINE);
  const anywhere = fc.record({
    x: fc.oneof(coordinate, edge),
    y: fc.oneof(coordinate, edge),
    gap: move.map(({ gap }) => gap),
  });
  fc.assert(
    fc.property(fc.array(anywhere, { maxLength: 20 }), fc.boolean(), (moves, isCoasting) => {
      const sent = createTracks(1);
      startTrack(sent, 0, isCoasting, 12_500, 12_500, 250);
      for (const { gap, x, y } of moves) {
        encodeMotion(word, sent, 0, gap, SCALE, x, y, 250);
        const received = createTracks(1);
        received.isCoasting[0] = isCoasting ? 1 : 0;
        received.radius[0] = 250;
        resetWriter(writer);
        writeTrack(writer, sent, 0, SCALE);
        const reader = createBitReader(finishWriting(writer));
        readTrack(reader, received, 0, SCALE);
        expect(isFullyRead(reader)).toBe(true);
        expect(received).toEqual(sent);
      }
    }),
  );
});

test('a track may rest a step beyond the edge of the world', () => {
  const sent = createTracks(1);
  startTrack(sent, 0, true, 0, 12_500, 250);
  sent.x[0] = -8;
  const received = createTracks(1);
  resetWriter(writer);
  writeTrack(writer, sent, 0, SCALE);
  readTrack(createBitReader(finishWriting(writer)), received, 0, SCALE);
  expect([received.x[0], received.y[0]]).toEqual([-8, 100_000]);
});

/** Average bits per tick of a motion. */
function costOf(isCoasting: boolean, ticks: number, at: (tick: number) => [x: number, y: number]): number {
  const tracks = createTracks(1);
  const [startX, startY] = at(0);
  startTrack(tracks, 0, isCoasting, Math.round(startX * 4), Math.round(startY * 4), 250);
  let bits = 0;
  for (let tick = 1; tick <= ticks; tick++) {
    const [x, y] = at(tick);
    const fine = (units: number) => Math.round(units * FINE_PER_UNIT);
    encodeMotion(word, tracks, 0, 1, SCALE, fine(x), fine(y), 250);
    bits += word.count;
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

import { describe, expect, test } from 'vitest';
import { PLAIN_LOOK } from '../../../testing/arena-fixtures.ts';
import { createFramePace, drawQuality } from './quality.ts';

const look = PLAIN_LOOK;
const best = { connection: 'excellent', prefersReducedMotion: false, isMachineFast: true, look } as const;

describe('drawQuality', () => {
  test('is full on a good line and a fast machine', () => {
    expect(drawQuality(best)).toEqual({ hasDetail: true, hasMotion: true, maxParticles: 150, look });
  });

  test('drops detail when the line or the machine is slow', () => {
    expect(drawQuality({ ...best, connection: 'fair' })).toMatchObject({ hasDetail: false, hasMotion: true });
    expect(drawQuality({ ...best, isMachineFast: false }).hasDetail).toBe(false);
    expect(drawQuality({ ...best, connection: 'critical' }).maxParticles).toBe(0);
  });

  test('stops motion for players who prefer reduced motion', () => {
    const still = drawQuality({ ...best, prefersReducedMotion: true });
    expect(still).toEqual({ hasDetail: true, hasMotion: false, maxParticles: 0, look });
  });
});

describe('the frame pace', () => {
  const runWindows = (
    pace: ReturnType<typeof createFramePace>,
    count: number,
    workMs: number,
    intervalMs: number,
  ) => {
    for (let frame = 0; frame < count * 90; frame++) pace.note(workMs, intervalMs);
    return pace.sharpness;
  };

  test('gives up pixels when frames cost too much or come too rarely', () => {
    expect(runWindows(createFramePace(), 1, 12, 17)).toBe(1);
    expect(runWindows(createFramePace(), 1, 30, 34)).toBe(0.8);
    expect(runWindows(createFramePace(), 1, 3, 80)).toBe(0.8);
  });

  test('does so when a screen of sixty frames a second shows fewer than fifty', () => {
    const run = (missedEvery: number) => {
      const pace = createFramePace();
      for (let frame = 0; frame < 90; frame++) pace.note(4, frame % missedEvery === 0 ? 33.3 : 16.7);
      return pace.sharpness;
    };
    expect(run(4)).toBe(0.8);
    expect(run(6)).toBe(1);
  });

  test('recovers after eight fast windows, and after sixteen the next time', () => {
    const pace = createFramePace();
    runWindows(pace, 1, 30, 34);
    expect(runWindows(pace, 7, 4, 17)).toBe(0.8);
    expect(runWindows(pace, 1, 4, 17)).toBe(1);
    runWindows(pace, 1, 30, 34);
    expect(runWindows(pace, 15, 4, 17)).toBe(0.8);
    expect(runWindows(pace, 1, 4, 17)).toBe(1);
  });

  test('gives up detail where fewer pixels do not help, then more pixels, and recovers step by step', () => {
    const pace = createFramePace();
    const seen = [];
    for (let window = 0; window < 4; window++) {
      runWindows(pace, 1, 4, 45);
      seen.push([pace.sharpness, pace.isFast]);
    }
    expect(seen).toEqual([
      [0.8, true],
      [0.8, false],
      [0.6, false],
      [0.6, false],
    ]);
    runWindows(pace, 8, 4, 17);
    expect([pace.sharpness, pace.isFast]).toEqual([0.8, false]);
    runWindows(pace, 16, 4, 17);
    expect([pace.sharpness, pace.isFast]).toEqual([0.8, true]);
    expect(runWindows(pace, 32, 4, 17)).toBe(1);
  });

  test('takes thirty frames a second for the pace of the screen', () => {
    expect(runWindows(createFramePace(), 3, 4, 34)).toBe(1);
  });

  test('ignores the frames of a hidden tab', () => {
    expect(runWindows(createFramePace(), 2, 3, 1_000)).toBe(1);
  });
});

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
    return { isFast: pace.isFast, sharpness: pace.sharpness };
  };
  const full = { isFast: true, sharpness: 1 };
  const plain = { isFast: false, sharpness: 1 };
  const coarse = { isFast: false, sharpness: 0.8 };

  test('gives up detail when frames cost too much or come too rarely', () => {
    expect(runWindows(createFramePace(), 1, 12, 17)).toEqual(full);
    expect(runWindows(createFramePace(), 1, 30, 34)).toEqual(plain);
    expect(runWindows(createFramePace(), 1, 3, 80)).toEqual(plain);
  });

  test('does so when a screen of sixty frames a second shows fewer than fifty-five', () => {
    const run = (missedEvery: number) => {
      const pace = createFramePace();
      for (let frame = 0; frame < 90; frame++) pace.note(4, frame % missedEvery === 0 ? 33.3 : 16.7);
      return pace.isFast;
    };
    expect(run(9)).toBe(false);
    expect(run(15)).toBe(true);
  });

  test('recovers after eight fast windows, and after sixteen the next time', () => {
    const pace = createFramePace();
    runWindows(pace, 1, 30, 34);
    expect(runWindows(pace, 7, 4, 17)).toEqual(plain);
    expect(runWindows(pace, 1, 4, 17)).toEqual(full);
    runWindows(pace, 1, 30, 34);
    expect(runWindows(pace, 15, 4, 17)).toEqual(plain);
    expect(runWindows(pace, 1, 4, 17)).toEqual(full);
  });

  test('gives up pixels where less detail does not help, and recovers step by step', () => {
    const pace = createFramePace();
    const seen = [1, 2, 3].map(() => runWindows(pace, 1, 4, 45));
    expect(seen).toEqual([plain, coarse, coarse]);
    expect(runWindows(pace, 8, 4, 17)).toEqual(plain);
    expect(runWindows(pace, 16, 4, 17)).toEqual(full);
  });

  test('takes thirty frames a second for the pace of the screen', () => {
    expect(runWindows(createFramePace(), 3, 4, 34)).toEqual(full);
  });

  test('ignores the frames of a hidden tab', () => {
    expect(runWindows(createFramePace(), 2, 3, 1_000)).toEqual(full);
  });
});

import { describe, expect, test } from 'vitest';
import { createFramePace, drawQuality } from './quality.ts';

const best = { connection: 'excellent', prefersReducedMotion: false, isMachineFast: true } as const;

describe('the quality of the picture', () => {
  test('is whole on a good line and a fast machine', () => {
    expect(drawQuality(best)).toEqual({ hasDetail: true, hasMotion: true, maxGulps: 150 });
  });

  test('loses its detail first when the line or the machine is slow', () => {
    expect(drawQuality({ ...best, connection: 'fair' })).toMatchObject({ hasDetail: false, hasMotion: true });
    expect(drawQuality({ ...best, isMachineFast: false }).hasDetail).toBe(false);
    expect(drawQuality({ ...best, connection: 'critical' }).maxGulps).toBe(0);
  });

  test('keeps still for those who asked for it', () => {
    const still = drawQuality({ ...best, prefersReducedMotion: true });
    expect(still).toEqual({ hasDetail: true, hasMotion: false, maxGulps: 0 });
  });
});

test('the pace changes its mind on clear evidence only', () => {
  const pace = createFramePace();
  const run = (ms: number, frames = 120) => {
    for (let frame = 0; frame < frames; frame += 1) pace.note(ms);
    return pace.isFast;
  };
  expect(run(40, 119)).toBe(true);
  expect(run(40, 1)).toBe(false);
  expect(run(16)).toBe(false);
  expect(run(5)).toBe(true);
  expect(run(20)).toBe(true);
});

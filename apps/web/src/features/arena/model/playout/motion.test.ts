import { describe, expect, test } from 'vitest';
import { createMotion, poseAt, recordSample } from './motion.ts';

const pose = { x: 0, y: 0, radius: 0 };

function walk(ticks: readonly number[]) {
  const motion = createMotion();
  for (const tick of ticks) recordSample(motion, tick, tick * 10, -tick * 5, 50 + tick);
  return motion;
}

describe('a motion', () => {
  test('interpolates between two samples', () => {
    poseAt(walk([1, 2, 3]), 1.5, pose);
    expect(pose).toEqual({ x: 15, y: -7.5, radius: 51.5 });
  });

  test('interpolates over missing ticks', () => {
    poseAt(walk([1, 5]), 3, pose);
    expect(pose.x).toBeCloseTo(30);
  });

  test('stays at its first sample before that tick', () => {
    poseAt(walk([4, 5]), 1, pose);
    expect(pose).toEqual({ x: 40, y: -20, radius: 54 });
  });

  test('extrapolates a little past the last sample, without growing', () => {
    const motion = walk([1, 2]);
    poseAt(motion, 3, pose);
    expect(pose.x).toBeCloseTo(30);
    poseAt(motion, 30, pose);
    expect(pose.x).toBeCloseTo(35);
    expect(pose.radius).toBe(52);
  });

  test('drops the oldest samples', () => {
    const motion = walk(Array.from({ length: 40 }, (_, tick) => tick));
    poseAt(motion, 38.25, pose);
    expect(pose.x).toBeCloseTo(382.5);
    poseAt(motion, 2, pose);
    expect(pose.x).toBe(240);
  });
});

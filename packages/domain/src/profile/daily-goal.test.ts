import { expect, test } from 'vitest';
import { addToGoal, frameFor, goalAt } from './daily-goal.ts';

const life = { kills: 2, peakMass: 150.7, seconds: 61, isExit: true };

test('a day of UTC has one goal, and the next day another', () => {
  const noon = Date.parse('2026-11-18T12:00:00Z');
  expect(goalAt(noon).day).toBe('2026-11-18');
  expect(goalAt(noon + 11 * 3_600_000)).toEqual(goalAt(noon));
  expect(goalAt(noon + 24 * 3_600_000).goal).not.toEqual(goalAt(noon).goal);
});

test('kills and exits add up, mass and time are the best of one life', () => {
  expect(addToGoal({ kind: 'kills', target: 5 }, 2, life)).toBe(4);
  expect(addToGoal({ kind: 'exits', target: 1 }, 0, { ...life, isExit: false })).toBe(0);
  expect(addToGoal({ kind: 'mass', target: 400 }, 149, life)).toBe(150);
  expect(addToGoal({ kind: 'seconds', target: 180 }, 90, life)).toBe(90);
});

test.each([
  [0, 'none'],
  [1, 'glass'],
  [4, 'glass'],
  [5, 'copper'],
  [20, 'gold'],
] as const)('%d days with a goal give the frame %s', (days, frame) => {
  expect(frameFor(days)).toBe(frame);
});

import { expect, test } from 'vitest';
import { createValve, isDue, noteLateness } from './valve.ts';

function run(valve: ReturnType<typeof createValve>, ticks: number, lateMs: number): void {
  for (let tick = 0; tick < ticks; tick++) noteLateness(valve, lateMs);
}

test('everyone gets every update while ticks are on time, and after a single long pause', () => {
  const valve = createValve();
  run(valve, 100, 1);
  run(valve, 5, 200);
  expect(valve.isHalving).toBe(false);
  expect([0, 1, 2, 3].map((tick) => isDue(valve, 1, tick))).toEqual([true, true, true, true]);
});

test('when ticks keep coming late, half of the players get an update in turns', () => {
  const valve = createValve();
  run(valve, 100, 20);
  expect([0, 1, 2, 3].map((tick) => isDue(valve, 0, tick))).toEqual([true, false, true, false]);
  expect([0, 1, 2, 3].map((tick) => isDue(valve, 1, tick))).toEqual([false, true, false, true]);
});

test('it ends some seconds after ticks are on time again, and not before', () => {
  const valve = createValve();
  run(valve, 100, 20);
  run(valve, 100, 0);
  expect(valve.isHalving).toBe(true);
  run(valve, 200, 0);
  expect(valve.isHalving).toBe(false);
});

import { expect, test } from 'vitest';
import { createManualClock } from '../../../testing/game/manual-clock.ts';
import { startTicker } from './ticker.ts';

test('ticks of a fractional number of milliseconds do not drift', () => {
  const clock = createManualClock();
  let ticks = 0;
  const ticker = startTicker(clock, 30, () => {
    ticks++;
    return undefined;
  });
  clock.advance(60_010);
  expect(ticks).toBe(1_800);
  ticker.stop();
  clock.advance(1_000);
  expect(ticks).toBe(1_800);
});

test('the ticks missed in a short stall are made up at once', () => {
  const clock = createManualClock();
  const ticksMs: number[] = [];
  startTicker(clock, 50, () => {
    ticksMs.push(clock.monotonicMs());
    if (ticksMs.length === 5) clock.stall(70);
    return undefined;
  });
  clock.advance(400);
  expect(ticksMs).toHaveLength(20);
  expect(ticksMs.slice(4, 9)).toEqual([100, 170, 170, 170, 180]);
});

test('most of the ticks missed in a long stall are dropped', () => {
  const clock = createManualClock();
  const ticksMs: number[] = [];
  startTicker(clock, 50, () => {
    ticksMs.push(clock.monotonicMs());
    if (ticksMs.length === 5) clock.stall(1_000);
    return undefined;
  });
  clock.advance(2_000);
  const atOnce = ticksMs.filter((ms) => ms === 1_100).length;
  expect(atOnce).toBeLessThan(8);
  // After that it keeps its pace.
  expect(ticksMs.slice(-3)).toEqual([1_960, 1_980, 2_000]);
});

test('a sleeping ticker ticks once a second, and at its usual rate once awake', () => {
  const clock = createManualClock();
  let ticks = 0;
  let isIdle = true;
  const ticker = startTicker(clock, 25, () => {
    ticks++;
    return isIdle ? 'asleep' : undefined;
  });
  clock.advance(10_100);
  expect(ticks).toBe(11);
  isIdle = false;
  ticker.wake();
  clock.advance(1_000);
  expect(ticks).toBe(11 + 25);
  ticker.wake();
  clock.advance(1_000);
  expect(ticks).toBe(11 + 50);
  ticker.stop();
  ticker.wake();
  clock.advance(1_000);
  expect(ticks).toBe(11 + 50);
});

test('each tick is told how late it is', () => {
  const clock = createManualClock();
  const late: number[] = [];
  startTicker(clock, 50, (lateMs) => {
    late.push(lateMs);
    if (late.length === 2) clock.stall(50);
    return undefined;
  });
  clock.advance(200);
  expect(late.slice(0, 6)).toEqual([0, 0, 30, 10, 0, 0]);
});

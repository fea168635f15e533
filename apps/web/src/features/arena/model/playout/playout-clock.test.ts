import { describe, expect, test } from 'vitest';
import { createPlayoutClock, noteArrival, PLAYOUT_DELAY, playoutTick } from './playout-clock.ts';

/** Updates sent every 40 ms with a transit of `travelMs(tick)`, read at 60 frames a second. */
function run(ticks: number, travelMs: (tick: number) => number) {
  const clock = createPlayoutClock(25);
  const arrivals = Array.from({ length: ticks }, (_, tick) => ({ tick, atMs: tick * 40 + travelMs(tick) }));
  const shown: { atMs: number; tick: number; newest: number }[] = [];
  let next = 0;
  for (let atMs = arrivals[0]!.atMs; atMs < ticks * 40; atMs += 1000 / 60) {
    while (next < arrivals.length && arrivals[next]!.atMs <= atMs) {
      noteArrival(clock, arrivals[next]!.tick, arrivals[next]!.atMs);
      next++;
    }
    shown.push({ atMs, tick: playoutTick(clock, atMs), newest: next - 1 });
  }
  return { clock, shown };
}

describe('the playout clock', () => {
  test('shows a steady stream at the shortest delay, between two known ticks', () => {
    const { clock, shown } = run(100, () => 30);
    expect(clock.delayMs).toBe(PLAYOUT_DELAY.minMs);
    for (const { tick, newest } of shown.slice(20)) expect(tick).toBeLessThanOrEqual(newest);
    const last = shown.at(-1)!;
    expect(last.atMs - last.tick * 40).toBeCloseTo(30 + PLAYOUT_DELAY.minMs, 0);
  });

  test('delays more on a jittery line, up to the limit', () => {
    const shaky = run(200, (tick) => 30 + (tick % 5) * 9);
    expect(shaky.clock.delayMs).toBeGreaterThan(PLAYOUT_DELAY.minMs + 5);
    const starved = shaky.shown.slice(60).filter(({ tick, newest }) => tick > newest);
    expect(starved).toEqual([]);
    expect(run(200, (tick) => 30 + (tick % 7) * 60).clock.delayMs).toBe(PLAYOUT_DELAY.maxMs);
  });

  test('delays more for the rarer updates of spectators', () => {
    const clock = createPlayoutClock(25);
    let newest = 0;
    let nextTick = 0;
    for (let atMs = 0; atMs < 10_000; atMs += 1000 / 60) {
      while (nextTick * 40 <= atMs) {
        noteArrival(clock, nextTick, nextTick * 40);
        newest = nextTick;
        nextTick += nextTick % 5 === 0 ? 2 : 3;
      }
      const tick = playoutTick(clock, atMs);
      if (atMs > 5000) expect(tick).toBeLessThanOrEqual(newest);
    }
    expect(clock.delayMs).toBeGreaterThan(2 * PLAYOUT_DELAY.minMs);
  });

  test('never runs backwards nor jumps on a steady line', () => {
    const { shown } = run(300, (tick) => (tick < 150 ? 20 : 70));
    for (let index = 1; index < shown.length; index++) {
      const advance = shown[index]!.tick - shown[index - 1]!.tick;
      expect(advance).toBeGreaterThan(0.3);
      expect(advance).toBeLessThan(0.5);
    }
  });

  test('jumps when a new match starts', () => {
    const clock = createPlayoutClock(25);
    noteArrival(clock, 5000, 1000);
    playoutTick(clock, 1000);
    for (let tick = 0; tick < 70; tick++) noteArrival(clock, tick, 2000 + tick * 40);
    const nowMs = 2000 + 69 * 40;
    expect(playoutTick(clock, nowMs)).toBeCloseTo(69 - PLAYOUT_DELAY.minMs / 40, 1);
  });
});

import { afterEach, expect, test, vi } from 'vitest';
import { startTicker } from './ticker.ts';

afterEach(() => vi.useRealTimers());

test('a tick that is no whole number of milliseconds long does not drift', () => {
  vi.useFakeTimers();
  let ticks = 0;
  const stop = startTicker(30, () => {
    ticks++;
  });
  vi.advanceTimersByTime(60_010);
  stop();
  expect(ticks).toBe(1_800);
});

test('ticks missed in a short stall are made up, those of a long one dropped', async () => {
  const ticks: number[] = [];
  const block = (ms: number) => {
    const untilMs = performance.now() + ms;
    while (performance.now() < untilMs);
  };
  const startedMs = performance.now();
  const stop = startTicker(50, () => {
    ticks.push(performance.now() - startedMs);
    if (ticks.length === 5) block(70);
    if (ticks.length === 20) block(400);
  });
  await vi.waitFor(() => expect(ticks.length).toBeGreaterThanOrEqual(35), 5_000);
  stop();
  const { length } = ticks;
  await new Promise((resolve) => setTimeout(resolve, 60));
  expect(ticks).toHaveLength(length);
  // Twenty ticks take 400 ms although one of them blocked for 70.
  expect(ticks[18]).toBeLessThan(440);
  // After the long stall it goes on at its pace: of twenty missed ticks at most a handful come at once.
  const atOnce = ticks.filter((ms) => ms >= ticks[19]! + 399 && ms < ticks[19]! + 415).length;
  expect(atOnce).toBeLessThan(8);
});

import type { Clock } from '../ports.ts';

/** More missed ticks than this in a row are dropped: catching up would only make the room later still. */
const MAX_CATCH_UP = 5;

/**
 * Calls `onTick` at an even rate. Each timer is set for the moment the next tick is due, not for one tick from now,
 * so late timers do not add up. Returns a function that stops it.
 */
export function startTicker(clock: Clock, ticksPerSecond: number, onTick: () => void): () => void {
  const tickMs = 1000 / ticksPerSecond;
  let dueMs = clock.monotonicMs() + tickMs;
  let isStopped = false;
  let cancel = clock.setTimer(tickMs, run);

  function run(): void {
    for (let ran = 0; ran < MAX_CATCH_UP && !isStopped && clock.monotonicMs() >= dueMs; ran++) {
      dueMs += tickMs;
      onTick();
    }
    if (isStopped) return;
    const nowMs = clock.monotonicMs();
    if (nowMs - dueMs > tickMs) dueMs = nowMs;
    cancel = clock.setTimer(Math.max(0, dueMs - nowMs), run);
  }

  return () => {
    isStopped = true;
    cancel();
  };
}

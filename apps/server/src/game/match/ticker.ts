import type { Clock } from '../ports.ts';

/** More missed ticks than this in a row are dropped: catching up would only delay the room further. */
const MAX_CATCH_UP = 5;
/** Less than the silence after which a lobby counts as offline. */
const ASLEEP_MS = 1_000;

export type Ticker = {
  stop(): void;
  /** Ends a sleep. */
  wake(): void;
};

/**
 * Calls `onTick` at an even rate, with how late it is. Each timer is set for the moment the next tick is due, not for one
 * tick from now, so delays do not add up. With a hundred rooms, ticks are spread over turns of the event loop, so that
 * incoming messages do not wait for all of them. While `onTick` returns 'asleep', it is called once a second.
 */
export function startTicker(
  clock: Clock,
  ticksPerSecond: number,
  onTick: (lateMs: number) => 'asleep' | undefined,
): Ticker {
  const tickMs = 1000 / ticksPerSecond;
  let dueMs = clock.monotonicMs() + tickMs;
  let isStopped = false;
  let isAsleep = false;
  let cancel = clock.setTurn(tickMs, run);

  function run(): void {
    isAsleep = false;
    for (let ran = 0; ran < MAX_CATCH_UP && !isStopped && !isAsleep; ran++) {
      const lateMs = clock.monotonicMs() - dueMs;
      if (lateMs < 0) break;
      dueMs += tickMs;
      isAsleep = onTick(lateMs) === 'asleep';
    }
    if (isStopped) return;
    const nowMs = clock.monotonicMs();
    if (isAsleep) dueMs = nowMs + ASLEEP_MS;
    else if (nowMs - dueMs > tickMs) dueMs = nowMs;
    cancel = clock.setTurn(Math.max(0, dueMs - nowMs), run);
  }

  return {
    stop: () => {
      isStopped = true;
      cancel();
    },
    wake: () => {
      if (!isAsleep || isStopped) return;
      isAsleep = false;
      cancel();
      dueMs = clock.monotonicMs() + tickMs;
      cancel = clock.setTurn(tickMs, run);
    },
  };
}

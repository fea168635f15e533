/** More missed ticks than this in a row are dropped: catching up would only make the room later still. */
const MAX_CATCH_UP = 5;

/**
 * Calls `onTick` at an even rate. Each timer is set for the moment the next tick is due, not for a tick's length
 * from now, so that late timers do not add up. Returns what stops it.
 */
export function startTicker(ticksPerSecond: number, onTick: () => void): () => void {
  const tickMs = 1000 / ticksPerSecond;
  let dueMs = performance.now() + tickMs;
  let isStopped = false;
  let timer = setTimeout(run, tickMs);

  function run(): void {
    for (let ran = 0; ran < MAX_CATCH_UP && !isStopped && performance.now() >= dueMs; ran++) {
      dueMs += tickMs;
      onTick();
    }
    if (isStopped) return;
    const nowMs = performance.now();
    if (nowMs - dueMs > tickMs) dueMs = nowMs;
    timer = setTimeout(run, Math.max(0, dueMs - nowMs));
  }

  return () => {
    isStopped = true;
    clearTimeout(timer);
  };
}

/** How fast a wrong clock is corrected: a step of ten minutes takes a hundred minutes. */
const SLEW = 0.1;
/** Smaller corrections are followed at once. */
const TOLERANCE_MS = 500;
/** After this much sleep the clock catches up at once: nothing from before is still running. */
const SLEPT_MS = 3_600_000;

/**
 * The time of day, but it never goes back, and follows steps of the machine's clock slowly. A clock that is set back
 * or forward by minutes would let tickets run out early, or make a living process look dead.
 */
export function createSteadyClock(wallMs: () => number, monotonicMs: () => number): () => number {
  let lastMonotonicMs = monotonicMs();
  let shownMs = wallMs();
  return () => {
    const elapsedMs = Math.max(0, monotonicMs() - lastMonotonicMs);
    lastMonotonicMs += elapsedMs;
    const steadyMs = shownMs + elapsedMs;
    const aheadMs = wallMs() - steadyMs;
    if (aheadMs > SLEPT_MS) shownMs = steadyMs + aheadMs;
    else if (Math.abs(aheadMs) <= TOLERANCE_MS) shownMs = Math.max(shownMs, steadyMs + aheadMs);
    else shownMs = steadyMs + Math.sign(aheadMs) * elapsedMs * SLEW;
    return Math.floor(shownMs);
  };
}

/** The machine's clock. */
export const systemClock = {
  nowMs: createSteadyClock(
    () => Date.now(),
    () => performance.now(),
  ),
  monotonicMs: () => performance.now(),
  setTimer: (delayMs: number, run: () => void) => {
    const timer = setTimeout(run, delayMs);
    return () => clearTimeout(timer);
  },
  setTurn: (delayMs: number, run: () => void) => {
    const timer = setTimeout(() => takeTurn(run), delayMs);
    return () => {
      clearTimeout(timer);
      waiting.delete(run);
    };
  },
};

/** Whoever came to a turn of the event loop that somebody else had. */
const waiting = new Set<() => void>();
let isTurnTaken = false;

/** Whatever has arrived meanwhile is read between two turns. */
function takeTurn(run: () => void): void {
  if (isTurnTaken) {
    waiting.add(run);
    return;
  }
  isTurnTaken = true;
  setImmediate(() => {
    isTurnTaken = false;
    const [next] = waiting;
    if (!next) return;
    waiting.delete(next);
    takeTurn(next);
  });
  run();
}

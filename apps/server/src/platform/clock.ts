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

/** How long these may keep the event loop before what has arrived meanwhile is read. More turns cost more than they gain. */
const TURN_MS = 8;

/** What did not fit into its turn of the event loop. */
const waiting = new Set<() => void>();
/** Undefined between turns. */
let turnEndsMs: number | undefined;

function takeTurn(run: () => void): void {
  turnEndsMs ??= beginTurn();
  if (waiting.size === 0 && performance.now() < turnEndsMs) run();
  else waiting.add(run);
}

function beginTurn(): number {
  setImmediate(() => {
    turnEndsMs = waiting.size > 0 ? beginTurn() : undefined;
    for (const run of waiting) {
      if (performance.now() >= turnEndsMs!) return;
      waiting.delete(run);
      run();
    }
  });
  return performance.now() + TURN_MS;
}

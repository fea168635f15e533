/*
 * The arena is shown with a delay, so that there is nearly always a later sample to interpolate towards. The delay
 * follows the jitter of the connection. Small errors are corrected by running a little faster or slower.
 */

type PlayoutClock = {
  stepMs: number;
  /** Arrival minus server time of the latest updates; the minimum is the fastest transit. */
  readonly latenessMs: Float64Array;
  received: number;
  fastestMs: number;
  lastTick: number;
  /** Time between updates: one tick for players, more for spectators. */
  updateEveryMs: number;
  /** Local time minus shown server time: current and target. */
  lagMs: number;
  targetLagMs: number;
  delayMs: number;
  lastReadMs: number;
};

/** For updates at every tick; rarer ones need more. */
export const PLAYOUT_DELAY = { minMs: 60, maxMs: 160 } as const;

const WINDOW = 64;
/** How much faster or slower than real time the clock may run. */
const MAX_SLEW = 0.06;
/** A larger error is a stall or a new match, and correcting it slowly would take seconds. */
const JUMP_FROM_MS = 300;
const JITTER_PERCENTILE = 0.9;
/** A longer gap is a pause and does not count. */
const MAX_GAP_MS = 250;
const GAP_SHARE = 0.1;

export function createPlayoutClock(ticksPerSecond = 25): PlayoutClock {
  return {
    stepMs: 1000 / ticksPerSecond,
    latenessMs: new Float64Array(WINDOW),
    received: 0,
    fastestMs: 0,
    lastTick: 0,
    updateEveryMs: 1000 / ticksPerSecond,
    lagMs: 0,
    targetLagMs: 0,
    delayMs: PLAYOUT_DELAY.minMs,
    lastReadMs: 0,
  };
}

export function noteArrival(clock: PlayoutClock, tick: number, nowMs: number): void {
  clock.latenessMs[clock.received % WINDOW] = nowMs - tick * clock.stepMs;
  if (clock.received > 0) {
    const gapMs = Math.max(1, tick - clock.lastTick) * clock.stepMs;
    clock.updateEveryMs += (Math.min(gapMs, MAX_GAP_MS) - clock.updateEveryMs) * GAP_SHARE;
  }
  clock.lastTick = tick;
  clock.received++;
  const known = clock.latenessMs.subarray(0, Math.min(clock.received, WINDOW)).toSorted();
  clock.fastestMs = known[0]!;
  const jitterMs = known[Math.floor((known.length - 1) * JITTER_PERCENTILE)]! - clock.fastestMs;
  clock.delayMs = clamp(
    clock.updateEveryMs * 1.5 + jitterMs,
    Math.max(PLAYOUT_DELAY.minMs, clock.updateEveryMs * 1.2),
    Math.max(PLAYOUT_DELAY.maxMs, clock.updateEveryMs * 2),
  );
  clock.targetLagMs = clock.fastestMs + clock.delayMs;
  if (clock.received === 1) {
    clock.lagMs = clock.targetLagMs;
    clock.lastReadMs = nowMs;
  }
}

/** The tick to show now, usually a fraction between two ticks. Call once per frame. */
export function playoutTick(clock: PlayoutClock, nowMs: number): number {
  const elapsedMs = Math.max(0, nowMs - clock.lastReadMs);
  clock.lastReadMs = nowMs;
  const errorMs = clock.targetLagMs - clock.lagMs;
  if (Math.abs(errorMs) > JUMP_FROM_MS) clock.lagMs = clock.targetLagMs;
  else clock.lagMs += clamp(errorMs, -elapsedMs * MAX_SLEW, elapsedMs * MAX_SLEW);
  return (nowMs - clock.lagMs) / clock.stepMs;
}

function clamp(value: number, min: number, max: number): number {
  return Math.min(max, Math.max(min, value));
}

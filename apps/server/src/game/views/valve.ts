/*
 * Sheds load when the machine cannot keep up. While ticks come late, every player gets only every second update: half of
 * the players in one tick and half in the next. The arena itself keeps its pace, and inputs count as before.
 */

export type Valve = {
  /** How late recent ticks were, as a moving average in milliseconds. */
  lateMs: number;
  isHalving: boolean;
  /** Ticks for which the state must not change, or it would flip all the time. */
  holdTicks: number;
};

const SMOOTHING_TICKS = 25;
/** A single long pause is not overload. */
const MAX_SAMPLE_MS = 40;
const OVERLOADED_MS = 12;
const RELIEVED_MS = 2;
const HOLD_TICKS = 250;

export function createValve(): Valve {
  return { lateMs: 0, isHalving: false, holdTicks: 0 };
}

/** Call with every tick. */
export function noteLateness(valve: Valve, lateMs: number): void {
  valve.lateMs += (Math.min(lateMs, MAX_SAMPLE_MS) - valve.lateMs) / SMOOTHING_TICKS;
  if (valve.holdTicks > 0) {
    valve.holdTicks--;
    return;
  }
  const isHalving = valve.lateMs > (valve.isHalving ? RELIEVED_MS : OVERLOADED_MS);
  if (isHalving === valve.isHalving) return;
  valve.isHalving = isHalving;
  valve.holdTicks = HOLD_TICKS;
}

/** Spreads so many updates evenly over the ticks of a second. */
export function isInPace(updatesPerSecond: number, ticksPerSecond: number, tick: number): boolean {
  const count = (ticks: number) => Math.floor((ticks * updatesPerSecond) / ticksPerSecond);
  return count(tick) !== count(tick - 1);
}

/** Whether a view gets an update in this tick. `turn` is 0 or 1 and stays the same for a view. */
export function isDue({ isHalving }: Valve, turn: number, tick: number): boolean {
  return !isHalving || tick % 2 === turn;
}

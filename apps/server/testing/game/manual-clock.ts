import type { Clock } from '../../src/game/ports.ts';

/** A clock that stands still until a test advances it. */
export type ManualClock = Clock & {
  /** Lets time pass and runs the timers that fall due, in order. */
  advance(ms: number): void;
  /** Lets time pass without running timers, as a blocked event loop does; they run late with the next advance. */
  stall(ms: number): void;
};

type Timer = { readonly dueMs: number; readonly run: () => void };

/** Noon, so that a daily window does not end by accident. */
const START_MS = Date.UTC(2030, 0, 15, 12);

export function createManualClock(): ManualClock {
  let elapsedMs = 0;
  const timers = new Set<Timer>();
  const nextDue = (untilMs: number): Timer | undefined => {
    let next: Timer | undefined;
    for (const timer of timers)
      if (timer.dueMs <= untilMs && timer.dueMs < (next?.dueMs ?? Infinity)) next = timer;
    return next;
  };
  const setTimer: Clock['setTimer'] = (delayMs, run) => {
    const timer = { dueMs: elapsedMs + delayMs, run };
    timers.add(timer);
    return () => void timers.delete(timer);
  };
  return {
    nowMs: () => START_MS + Math.floor(elapsedMs),
    monotonicMs: () => elapsedMs,
    setTimer,
    setTurn: setTimer,
    advance: (ms) => {
      const untilMs = elapsedMs + ms;
      for (let timer = nextDue(untilMs); timer; timer = nextDue(untilMs)) {
        timers.delete(timer);
        elapsedMs = Math.max(elapsedMs, timer.dueMs);
        timer.run();
      }
      elapsedMs = Math.max(elapsedMs, untilMs);
    },
    stall: (ms) => {
      elapsedMs += ms;
    },
  };
}

import { expect, test } from 'vitest';
import { watchLife } from './watch-life.ts';

/** Time that has passed before its timer notices. */
function createHeldClock() {
  let nowMs = 0;
  let timer: (() => void) | undefined;
  return {
    monotonicMs: () => nowMs,
    setTimer: (_delayMs: number, run: () => void) => {
      timer = run;
      return () => {
        timer = undefined;
      };
    },
    pass: (...steps: number[]) => {
      for (const ms of steps) {
        nowMs += ms;
        const run = timer;
        timer = undefined;
        run?.();
      }
    },
  };
}

function startWatch() {
  const clock = createHeldClock();
  const seen = { checks: 0, silences: 0 };
  const watch = watchLife(clock, { onCheck: () => seen.checks++, onSilent: () => seen.silences++ });
  return { clock, seen, ...watch };
}

const SECOND = 1_000;

test('five seconds without a message are silence, reported once', () => {
  const { clock, seen, hear } = startWatch();
  hear();
  clock.pass(SECOND, SECOND, SECOND, SECOND, SECOND);
  expect(seen).toEqual({ checks: 5, silences: 0 });
  clock.pass(SECOND, SECOND, SECOND);
  expect(seen).toEqual({ checks: 6, silences: 1 });
});

test('a process that has not sent anything yet has a minute to start', () => {
  const { clock, seen } = startWatch();
  for (let second = 0; second < 60; second++) clock.pass(SECOND);
  expect(seen.silences).toBe(0);
  clock.pass(SECOND);
  expect(seen.silences).toBe(1);
});

test('a process that sends, is starting, or is no longer watched, is not silent', () => {
  const { clock, seen, hear, cancel } = startWatch();
  for (let second = 0; second < 60; second++) clock.pass(SECOND);
  for (let second = 0; second < 60; second++) {
    hear();
    clock.pass(SECOND);
  }
  expect(seen.silences).toBe(0);
  cancel();
  clock.pass(SECOND, SECOND, SECOND, SECOND, SECOND, SECOND, SECOND);
  expect(seen).toEqual({ checks: 120, silences: 0 });
});

test('a process that was frozen itself starts over', () => {
  const { clock, seen, hear } = startWatch();
  hear();
  clock.pass(SECOND, SECOND, SECOND, SECOND, 60 * SECOND);
  clock.pass(SECOND, SECOND, SECOND, SECOND, SECOND);
  expect(seen.silences).toBe(0);
  clock.pass(SECOND);
  expect(seen.silences).toBe(1);
});

import fc from 'fast-check';
import { describe, expect, test, vi } from 'vitest';
import { createSteadyClock, systemClock } from './clock.ts';

function open() {
  const machine = { wallMs: 1_800_000_000_000, monotonicMs: 0 };
  const nowMs = createSteadyClock(
    () => machine.wallMs,
    () => machine.monotonicMs,
  );
  return {
    machine,
    nowMs,
    pass: (ms: number) => {
      machine.wallMs += ms;
      machine.monotonicMs += ms;
    },
  };
}

const STEP_MS = 600_000;

describe('the clock', () => {
  test.each([STEP_MS, -STEP_MS])(
    'does not jump when the machine is set by %i ms, and is right later',
    (step) => {
      const { machine, nowMs, pass } = open();
      const before = nowMs();
      machine.wallMs += step;
      expect(nowMs()).toBe(before);
      pass(60_000);
      expect(nowMs() - before).toBeGreaterThanOrEqual(54_000);
      expect(nowMs() - before).toBeLessThanOrEqual(66_000);
      for (let minute = 0; minute < 110; minute++) {
        pass(60_000);
        nowMs();
      }
      expect(Math.abs(machine.wallMs - nowMs())).toBeLessThanOrEqual(10_000);
    },
  );

  test('follows at once a machine that slept for hours', () => {
    const { machine, nowMs } = open();
    nowMs();
    machine.wallMs += 8 * 3_600_000;
    expect(nowMs()).toBe(machine.wallMs);
  });

  test('never goes back, and runs at most a tenth too fast or too slow', () => {
    const moves = fc.array(
      fc.record({ step: fc.constantFrom(0, 0, 0, 100, -100, STEP_MS, -STEP_MS), pass: fc.nat(30_000) }),
      { maxLength: 60 },
    );
    fc.assert(
      fc.property(moves, (steps) => {
        const { machine, nowMs, pass } = open();
        let last = nowMs();
        for (const move of steps) {
          machine.wallMs += move.step;
          pass(move.pass);
          const now = nowMs();
          expect(now).toBeGreaterThanOrEqual(last);
          if (Math.abs(machine.wallMs - last) < 3_600_000) {
            expect(now - last).toBeLessThanOrEqual(move.pass * 1.1 + 501);
          }
          last = now;
        }
      }),
    );
  });
});

test('what does not fit into a turn of the event loop has the next one, in order', async () => {
  let shownMs = 0;
  const now = vi.spyOn(performance, 'now').mockImplementation(() => shownMs);
  const seen: string[] = [];
  systemClock.setTurn(1, () => seen.push('short'));
  systemClock.setTurn(1, () => {
    shownMs += 20;
    seen.push('long');
  });
  systemClock.setTurn(1, () => seen.push('next'));
  const cancel = systemClock.setTurn(1, () => seen.push('cancelled'));
  systemClock.setTimer(1, () => {
    seen.push('a timer');
    cancel();
  });
  systemClock.setTurn(1, () => seen.push('last'));
  // All of them are due when the event loop looks at its timers.
  const dueMs = Date.now() + 10;
  while (Date.now() < dueMs);
  await vi.waitFor(() => expect(seen).toContain('last'));
  now.mockRestore();
  expect(seen).toEqual(['short', 'long', 'a timer', 'next', 'last']);
});

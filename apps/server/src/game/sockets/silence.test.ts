import { expect, test, vi } from 'vitest';
import { createManualClock } from '../../../testing/game/manual-clock.ts';
import { watchSilence } from './silence.ts';

function watch() {
  const clock = createManualClock();
  const ask = vi.fn();
  const giveUp = vi.fn();
  return { clock, ask, giveUp, silence: watchSilence(clock, ask, giveUp) };
}

test('a client that keeps talking is never asked', () => {
  const { clock, ask, giveUp, silence } = watch();
  for (let second = 0; second < 60; second++) {
    silence.heard();
    clock.advance(1_000);
  }
  expect(ask).not.toHaveBeenCalled();
  expect(giveUp).not.toHaveBeenCalled();
});

test('a silent client that answers is kept', () => {
  const { clock, ask, giveUp, silence } = watch();
  ask.mockImplementation(() => silence.heard());
  clock.advance(60_000);
  expect(ask.mock.calls.length).toBeGreaterThan(10);
  expect(giveUp).not.toHaveBeenCalled();
});

test('one that does not answer is given up once, 6 to 8 seconds after it was last heard', () => {
  for (const lastHeardMs of [0, 500, 1_999]) {
    const { clock, ask, giveUp, silence } = watch();
    clock.advance(lastHeardMs);
    silence.heard();
    clock.advance(5_999);
    expect(giveUp).not.toHaveBeenCalled();
    expect(ask).toHaveBeenCalled();
    clock.advance(2_001);
    expect(giveUp).toHaveBeenCalledOnce();
    clock.advance(60_000);
    expect(giveUp).toHaveBeenCalledOnce();
  }
});

test('after its end nobody is asked or given up', () => {
  const { clock, ask, giveUp, silence } = watch();
  clock.advance(3_000);
  silence.stop();
  clock.advance(60_000);
  expect(ask).not.toHaveBeenCalled();
  expect(giveUp).not.toHaveBeenCalled();
});

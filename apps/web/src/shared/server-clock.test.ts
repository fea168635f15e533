import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { noteServerTime, serverNowMs } from './server-clock.ts';

const NOON = Date.parse('2026-11-15T12:00:00.000Z');
const HOUR_MS = 3_600_000;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(() => {
  vi.useRealTimers();
});

/** The server answers at a moment of its own clock; the answer has taken that long. */
function hear(answeredAtMs: number, tookMs = 0): void {
  const header = new Date(Math.floor(answeredAtMs / 1000) * 1000).toUTCString();
  noteServerTime(header, Date.now() - tookMs);
}

test.each([-HOUR_MS, HOUR_MS])('a clock that is off by %i ms is corrected to the second', (offMs) => {
  vi.setSystemTime(NOON + offMs);
  hear(NOON);
  expect(Math.abs(serverNowMs() - NOON)).toBeLessThanOrEqual(1_000);
  vi.setSystemTime(NOON + offMs + 90_000);
  expect(Math.abs(serverNowMs() - NOON - 90_000)).toBeLessThanOrEqual(1_000);
});

test('a clock that was set right meanwhile is not corrected any longer', () => {
  vi.setSystemTime(NOON + HOUR_MS);
  hear(NOON);
  vi.setSystemTime(NOON + 30_000);
  hear(NOON + 30_000);
  expect(Math.abs(serverNowMs() - NOON - 30_000)).toBeLessThanOrEqual(1_000);
});

test('an answer that took long, or does not tell its time, changes nothing', () => {
  vi.setSystemTime(NOON);
  hear(NOON);
  const before = serverNowMs();
  vi.setSystemTime(NOON + 20_000);
  hear(NOON + 5_000, 20_000);
  noteServerTime(null, Date.now());
  expect(serverNowMs()).toBe(before + 20_000);
});

import { describe, expect, test } from 'vitest';
import { raffleBlockMs, raffleCountdown, raffleDay, raffleDrawMs } from './raffle.ts';

describe('the raffle of a day', () => {
  const noonMs = Date.parse('2026-11-15T12:00:00Z');

  test('ends at midnight UTC', () => {
    expect(raffleDay(noonMs)).toBe('2026-11-15');
    expect(raffleDrawMs('2026-11-15')).toBe(Date.parse('2026-11-16T00:00:00Z'));
    expect(raffleDay(raffleDrawMs('2026-11-15'))).toBe('2026-11-16');
  });

  test('is decided by a block of ten minutes later', () => {
    expect(raffleBlockMs('2026-11-15')).toBe(Date.parse('2026-11-16T00:10:00Z'));
  });

  test('counts down to midnight, and restarts exactly then', () => {
    expect(raffleCountdown(noonMs)).toEqual({ hours: 12, minutes: 0, seconds: 0 });
    expect(raffleCountdown(noonMs + 1_500)).toEqual({ hours: 11, minutes: 59, seconds: 59 });
    expect(raffleCountdown(raffleDrawMs('2026-11-15') - 1)).toEqual({ hours: 0, minutes: 0, seconds: 1 });
    expect(raffleCountdown(raffleDrawMs('2026-11-15'))).toEqual({ hours: 24, minutes: 0, seconds: 0 });
  });
});

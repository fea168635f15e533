import { describe, expect, test } from 'vitest';
import { parseWindow, spanAfter, spanAt } from './open-window.ts';

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const at = (text: string) => Date.parse(text);

describe('parseWindow', () => {
  test.each([
    ['2026-11-15T22:00:00Z', '2026-11-15T22:00:00.000Z'],
    ['2026-11-15T22:00', '2026-11-15T22:00:00.000Z'],
    ['2026-11-15 22:00', '2026-11-15T22:00:00.000Z'],
    ['2026-11-15T22:00:01.5z', '2026-11-15T22:00:01.500Z'],
    ['2026-11-15T22:00+02:00', '2026-11-15T20:00:00.000Z'],
    ['2028-02-29T00:00Z', '2028-02-29T00:00:00.000Z'],
  ])('reads %s as %s', (startUtc, iso) => {
    const window = parseWindow({ startUtc, endUtc: '2030-01-01T00:00Z' });
    expect(window).toEqual({ kind: 'dated', span: { startMs: at(iso), endMs: at('2030-01-01T00:00Z') } });
  });

  test.each([
    ['09:00', '17:30', 9, 8.5],
    ['9:00', '17:30', 9, 8.5],
    ['22:00', '02:00', 22, 4],
    ['00:00', '24:00', 0, 24],
    ['18:00', '24:00', 18, 6],
    ['18:00', '00:00', 18, 6],
  ])('reads %s–%s as daily from hour %d for %d hours', (startUtc, endUtc, startHour, hours) => {
    expect(parseWindow({ startUtc, endUtc })).toEqual({
      kind: 'daily',
      startOfDayMs: startHour * HOUR_MS,
      lengthMs: hours * HOUR_MS,
    });
  });

  test.each([
    ['', ''],
    ['soon', 'later'],
    ['09:00', '2026-11-15T22:00Z'],
    ['2026-11-15T22:00Z', '23:00'],
    ['24:00', '02:00'],
    ['25:00', '26:00'],
    ['09:60', '10:00'],
    ['09:00', '24:01'],
    ['2026-02-30T00:00Z', '2026-04-01T00:00Z'],
    ['2026-13-01T00:00Z', '2027-01-01T00:00Z'],
    ['2026-11-15T25:00Z', '2026-11-17T00:00Z'],
    ['2026-11-15T22:00Z', '2026-11-15T21:59Z'],
    ['2026-11-15', '2026-11-16'],
    ['1763157600000', '1763157600001'],
  ])('refuses %j–%j', (startUtc, endUtc) => {
    expect(parseWindow({ startUtc, endUtc })).toBeUndefined();
  });
});

describe('spans of a daily window over midnight', () => {
  const window = parseWindow({ startUtc: '22:00', endUtc: '02:00' })!;

  test('include the one that started yesterday', () => {
    expect(spanAt(window, at('2026-11-15T01:00Z'))).toEqual({
      startMs: at('2026-11-14T22:00Z'),
      endMs: at('2026-11-15T02:00Z'),
    });
  });

  test('start next today or tomorrow', () => {
    expect(spanAfter(window, at('2026-11-15T01:00Z'))?.startMs).toBe(at('2026-11-15T22:00Z'));
    expect(spanAfter(window, at('2026-11-15T22:00Z'))?.startMs).toBe(at('2026-11-15T22:00Z') + DAY_MS);
  });

  test('also work before 1970', () => {
    expect(spanAt(window, at('1969-12-31T23:00Z'))?.startMs).toBe(at('1969-12-31T22:00Z'));
  });
});

import { expect, test } from 'vitest';
import { maintenanceLeftMs, maintenanceSpan } from './maintenance.ts';

test.each([
  ['11:59:59.999', undefined],
  ['12:00:00.000', 10_800_000],
  ['14:59:59.000', 1_000],
  ['15:00:00.000', undefined],
])('at %s the maintenance takes %s ms more', (time, leftMs) => {
  expect(maintenanceLeftMs(Date.parse(`2026-11-15T${time}Z`))).toBe(leftMs);
});

test.each([
  ['2026-11-15T11:00:00Z', '2026-11-15'],
  ['2026-11-15T13:00:00Z', '2026-11-15'],
  ['2026-11-15T23:14:00Z', '2026-11-16'],
])('at %s the maintenance that people are told of is that of %s', (now, day) => {
  expect(maintenanceSpan(Date.parse(now))).toEqual({
    startMs: Date.parse(`${day}T12:00:00Z`),
    endMs: Date.parse(`${day}T15:00:00Z`),
  });
});

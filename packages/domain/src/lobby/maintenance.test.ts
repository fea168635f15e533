import { expect, test } from 'vitest';
import { maintenanceLeftMs } from './maintenance.ts';

test.each([
  ['11:59:59.999', undefined],
  ['12:00:00.000', 10_800_000],
  ['14:59:59.000', 1_000],
  ['15:00:00.000', undefined],
])('at %s the maintenance takes %s ms more', (time, leftMs) => {
  expect(maintenanceLeftMs(Date.parse(`2026-11-15T${time}Z`))).toBe(leftMs);
});

import { expect, it } from 'vitest';
import { isMaintenanceTime } from './maintenance.ts';

it.each([
  ['11:59:59.999', false],
  ['12:00:00.000', true],
  ['14:59:59.999', true],
  ['15:00:00.000', false],
])('at %s UTC: %s', (time, isMaintenance) => {
  expect(isMaintenanceTime(Date.parse(`2026-11-15T${time}Z`))).toBe(isMaintenance);
});

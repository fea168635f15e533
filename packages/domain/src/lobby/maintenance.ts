import { parseWindow, spanAfter, spanAt, type TimeSpan } from './open-window.ts';

/** When upgrades are made, every day in UTC. */
const MAINTENANCE = parseWindow({ startUtc: '12:00', endUtc: '15:00' })!;
export const MAINTENANCE_TEXT = '12:00 PM to 3:00 PM UTC';

/** The one that runs now, or the next. */
export function maintenanceSpan(nowMs: number): TimeSpan {
  return (spanAt(MAINTENANCE, nowMs) ?? spanAfter(MAINTENANCE, nowMs))!;
}

/** How long the current maintenance still takes; undefined outside of it. */
export function maintenanceLeftMs(nowMs: number): number | undefined {
  const span = spanAt(MAINTENANCE, nowMs);
  return span && span.endMs - nowMs;
}

import { type OpenWindow, parseWindow, spanAt } from './lobby/open-window.ts';

export const MAINTENANCE_WINDOW: OpenWindow = { startUtc: '12:00', endUtc: '15:00' };
export const MAINTENANCE_WINDOW_TEXT = '12:00 PM to 3:00 PM UTC';

const window = parseWindow(MAINTENANCE_WINDOW)!;

export function isMaintenanceTime(nowMs: number): boolean {
  return spanAt(window, nowMs) !== undefined;
}

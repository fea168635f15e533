/** One entry of a lobby's `dailyOpenWindows`, as the operator wrote it. */
export type OpenWindow = { readonly startUtc: string; readonly endUtc: string };

/** A half-open interval: it includes its start, but not its end. */
export type TimeSpan = { readonly startMs: number; readonly endMs: number };

/**
 * The two kinds of window:
 * - dated: two ISO date-times. It happens once. Without an offset they are UTC, as the field names promise.
 * - daily: two 'HH:MM' times of day in UTC ('24:00' may end one). It happens every day; when the end lies
 *   before the start, it runs over midnight into the next day.
 *
 * A window that starts when it ends is open at that instant alone. With time in whole milliseconds that is a
 * span of one millisecond, and needs no further special case.
 */
export type ParsedWindow =
  | { readonly kind: 'dated'; readonly span: TimeSpan }
  | { readonly kind: 'daily'; readonly startOfDayMs: number; readonly lengthMs: number };

const MINUTE_MS = 60_000;
const DAY_MS = 24 * 60 * MINUTE_MS;
const INSTANT_MS = 1;

/**
 * Undefined when the window makes no sense: unreadable, of mixed kinds, or dated with its end before its
 * start.
 */
export function parseWindow({ startUtc, endUtc }: OpenWindow): ParsedWindow | undefined {
  return parseDaily(startUtc, endUtc) ?? parseDated(startUtc, endUtc);
}

/** The occurrence of this window that contains `atMs`. */
export function spanAt(window: ParsedWindow, atMs: number): TimeSpan | undefined {
  return spansAround(window, atMs).find(({ startMs, endMs }) => atMs >= startMs && atMs < endMs);
}

/** The first occurrence of this window that starts after `atMs`. */
export function spanAfter(window: ParsedWindow, atMs: number): TimeSpan | undefined {
  return spansAround(window, atMs).find(({ startMs }) => startMs > atMs);
}

function spansAround(window: ParsedWindow, atMs: number): TimeSpan[] {
  if (window.kind === 'dated') return [window.span];
  const todayMs = Math.floor(atMs / DAY_MS) * DAY_MS;
  // Yesterday's may still be running past midnight; tomorrow's is next once today's has begun.
  return [todayMs - DAY_MS, todayMs, todayMs + DAY_MS].map((dayMs) => {
    const startMs = dayMs + window.startOfDayMs;
    return { startMs, endMs: startMs + window.lengthMs };
  });
}

function parseDaily(startUtc: string, endUtc: string): ParsedWindow | undefined {
  const startOfDayMs = timeOfDayMs(startUtc);
  const endOfDayMs = timeOfDayMs(endUtc);
  if (startOfDayMs === undefined || startOfDayMs === DAY_MS || endOfDayMs === undefined) return undefined;
  const lengthMs = (endOfDayMs - startOfDayMs + DAY_MS) % DAY_MS;
  if (lengthMs > 0) return { kind: 'daily', startOfDayMs, lengthMs };
  return { kind: 'daily', startOfDayMs, lengthMs: endOfDayMs === DAY_MS ? DAY_MS : INSTANT_MS };
}

function parseDated(startUtc: string, endUtc: string): ParsedWindow | undefined {
  const startMs = dateTimeMs(startUtc);
  const endMs = dateTimeMs(endUtc);
  if (startMs === undefined || endMs === undefined || endMs < startMs) return undefined;
  return { kind: 'dated', span: { startMs, endMs: Math.max(endMs, startMs + INSTANT_MS) } };
}

function timeOfDayMs(text: string): number | undefined {
  const match = /^(\d{1,2}):([0-5]\d)$/.exec(text.trim());
  if (!match) return undefined;
  const ms = (Number(match[1]) * 60 + Number(match[2])) * MINUTE_MS;
  return ms <= DAY_MS ? ms : undefined;
}

const DATE_TIME = /^(\d{4}-\d{2}-\d{2})[T ](\d{2}:\d{2}(?::\d{2}(?:\.\d{1,3})?)?)(Z|[+-]\d{2}:\d{2})?$/i;

function dateTimeMs(text: string): number | undefined {
  const match = DATE_TIME.exec(text.trim());
  if (!match) return undefined;
  const [, date, time, offset = 'Z'] = match;
  // Date.parse turns 30 February into 2 March; a typo should be refused instead.
  const dateMs = Date.parse(`${date}T00:00Z`);
  if (Number.isNaN(dateMs) || !new Date(dateMs).toISOString().startsWith(`${date}T`)) return undefined;
  const ms = Date.parse(`${date}T${time}${offset.toUpperCase()}`);
  return Number.isNaN(ms) ? undefined : ms;
}

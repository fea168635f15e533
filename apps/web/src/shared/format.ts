const SECOND_MS = 1_000;
const MINUTE_MS = 60 * SECOND_MS;
const HOUR_MS = 60 * MINUTE_MS;
const DAY_MS = 24 * HOUR_MS;

/** An address or a transaction signature, cut to the part people compare: '7xKq…9fWd'. */
export function abbreviate(text: string): string {
  return text.length <= 9 ? text : `${text.slice(0, 4)}…${text.slice(-4)}`;
}

/** '12 s ago', '3 min ago'; 'now' for the future, because the reader's clock may be behind the server's. */
export function agoText(atMs: number, nowMs: number): string {
  const passedMs = nowMs - atMs;
  return passedMs < SECOND_MS ? 'now' : `${roughSpan(passedMs)} ago`;
}

/** '48 min', '1 h 24 min', '3 d'. */
export function spanText(spanMs: number): string {
  if (spanMs < HOUR_MS || spanMs >= DAY_MS) return roughSpan(Math.max(spanMs, SECOND_MS));
  const minutes = Math.floor((spanMs % HOUR_MS) / MINUTE_MS);
  const hours = `${Math.floor(spanMs / HOUR_MS)} h`;
  return minutes === 0 ? hours : `${hours} ${minutes} min`;
}

const count = new Intl.NumberFormat('en-US');

/** '1,234'. Much faster than `toLocaleString`, which looks its locale up each time. */
export function countText(value: number): string {
  return count.format(value);
}

const dateTime = new Intl.DateTimeFormat('en-GB', {
  day: 'numeric',
  month: 'short',
  hour: '2-digit',
  minute: '2-digit',
});
const time = new Intl.DateTimeFormat('en-GB', { hour: '2-digit', minute: '2-digit' });

/** '15 Nov 20:51', in the reader's time zone. */
export function dateTimeText(atMs: number): string {
  return dateTime.format(atMs).replace(',', '');
}

/** '20:51', in the reader's time zone. */
export function localTimeText(atMs: number): string {
  return time.format(atMs);
}

function roughSpan(spanMs: number): string {
  if (spanMs < MINUTE_MS) return `${Math.floor(spanMs / SECOND_MS)} s`;
  if (spanMs < HOUR_MS) return `${Math.floor(spanMs / MINUTE_MS)} min`;
  if (spanMs < DAY_MS) return `${Math.floor(spanMs / HOUR_MS)} h`;
  return `${Math.floor(spanMs / DAY_MS)} d`;
}

/** '4:07'. */
export function durationText(ms: number): string {
  const seconds = Math.floor(ms / 1000);
  return `${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, '0')}`;
}

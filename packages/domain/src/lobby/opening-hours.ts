import type { LobbyType } from './lobby-type.ts';
import {
  type OpenWindow,
  type ParsedWindow,
  parseWindow,
  spanAfter,
  spanAt,
  type TimeSpan,
} from './open-window.ts';

export type LobbySchedule = {
  readonly lobbyType: LobbyType;
  readonly isLocked: boolean;
  /** Absent and empty differ: a semi-private lobby without the attribute is closed, with an empty list open. */
  readonly dailyOpenWindows?: readonly OpenWindow[] | null | undefined;
  /** From then on it is closed, whatever its windows say. */
  readonly drainsAtMs?: number | null | undefined;
};

/*
 * Time is always an argument, in whole milliseconds since the epoch.
 *
 * Invalid windows are ignored: they open nothing, are never ahead and never past. They still count as windows: a
 * lobby whose only window is mistyped stays closed, because a paid lobby must not open by mistake.
 *
 * A dated window is ahead, then running, then past. A daily one comes again every day: it is always ahead and
 * never past, so a lobby with a valid daily window always knows when it opens next.
 */

export function isLobbyOpen(lobby: LobbySchedule, nowMs: number): boolean {
  if (isLockedAt(lobby, nowMs)) return false;
  const windows = lobby.dailyOpenWindows;
  if (!windows) return lobby.lobbyType !== 'semi-private';
  if (windows.length === 0) return true;
  return validWindows(lobby).some((window) => spanAt(window, nowMs) !== undefined);
}

/** Whether an operator has closed it, regardless of its windows. */
export function isLockedAt(
  { isLocked, drainsAtMs }: Pick<LobbySchedule, 'isLocked' | 'drainsAtMs'>,
  nowMs: number,
): boolean {
  return isLocked || (drainsAtMs != null && drainsAtMs <= nowMs);
}

/** The earliest occurrence of any window that starts after now. */
export function nextWindow(lobby: LobbySchedule, nowMs: number): TimeSpan | undefined {
  let next: TimeSpan | undefined;
  for (const window of validWindows(lobby)) {
    const span = spanAfter(window, nowMs);
    if (span && (!next || span.startMs < next.startMs)) next = span;
  }
  return next;
}

/**
 * When an open lobby closes: when it is drained, or at the end of the running window, or of the last of several that
 * follow one another without a gap. Undefined when it is closed or does not close by the clock.
 */
export function closesAtMs(lobby: LobbySchedule, nowMs: number): number | undefined {
  if (!isLobbyOpen(lobby, nowMs)) return undefined;
  const times = [lobby.drainsAtMs ?? undefined, windowsEndMs(lobby, nowMs)].filter((ms) => ms !== undefined);
  return times.length === 0 ? undefined : Math.min(...times);
}

function windowsEndMs(lobby: LobbySchedule, nowMs: number): number | undefined {
  const windows = validWindows(lobby);
  if (windows.length === 0) return undefined;
  // A dated window helps at most once. Between two of those, daily windows that carry on for longer than each
  // of them running twice cover the whole day, and then there is no end.
  const maxSteps = (windows.length + 1) * (2 * windows.length + 1);
  let endMs = nowMs;
  for (let step = 0; step <= maxSteps; step++) {
    const ends = windows.map((window) => spanAt(window, endMs)?.endMs ?? endMs);
    const furthestMs = Math.max(...ends);
    if (furthestMs === endMs) return endMs;
    endMs = furthestMs;
  }
  return undefined;
}

/** What a closed lobby shows in place of its button; undefined while it is open. */
export function closedText(lobby: LobbySchedule, nowMs: number): string | undefined {
  if (isLobbyOpen(lobby, nowMs)) return undefined;
  if (isLockedAt(lobby, nowMs) || isLobbyPast(lobby, nowMs)) return 'COMING SOON';
  const next = nextWindow(lobby, nowMs);
  if (next) return `Opens at: ${utcDateTimeText(next.startMs, nowMs)} UTC`;
  // Only unreadable windows are left. The player may understand what the operator wrote.
  const written = lobby.dailyOpenWindows?.find(({ startUtc, endUtc }) => startUtc.trim() && endUtc.trim());
  return written ? `Lobby is open at ${windowText(written)}` : 'COMING SOON';
}

/** Every window has ended. A lobby without any valid window is not past. */
function isLobbyPast(lobby: LobbySchedule, nowMs: number): boolean {
  const windows = validWindows(lobby);
  return (
    windows.length > 0 && windows.every((window) => window.kind === 'dated' && nowMs >= window.span.endMs)
  );
}

function windowText({ startUtc, endUtc }: OpenWindow): string {
  return `${startUtc} – ${endUtc}`;
}

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'] as const;

/** '15 Nov 22:00', with the year when it is not the present one. Locale-free: server and client must agree. */
function utcDateTimeText(atMs: number, nowMs: number): string {
  const at = new Date(atMs);
  const year = at.getUTCFullYear();
  const yearText = year === new Date(nowMs).getUTCFullYear() ? '' : ` ${year}`;
  const timeText = at.toISOString().slice(11, 16);
  return `${at.getUTCDate()} ${MONTHS[at.getUTCMonth()]}${yearText} ${timeText}`;
}

function validWindows(lobby: LobbySchedule): ParsedWindow[] {
  return (lobby.dailyOpenWindows ?? []).map(parseWindow).filter((window) => window !== undefined);
}

export const LIVE_EVENT_TYPES = [
  'kill',
  'cashout',
  'disconnect',
  'join',
  'lobby_opened',
  'lobby_closing',
  'lobby_closed',
] as const;
export type LiveEventType = (typeof LIVE_EVENT_TYPES)[number];

export const LIVE_FEED_LENGTH = 6;

/** Toasts: the oldest gives way. */
export const NOTIFICATIONS = { max: 5, lifeMs: 3_000 } as const;

/** Adds to a list that keeps only its latest entries. */
export function appendLatest<Entry>(list: readonly Entry[], entry: Entry, keep: number): readonly Entry[] {
  return [...list, entry].slice(-keep);
}

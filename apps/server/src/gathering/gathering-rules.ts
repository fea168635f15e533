/** How people gather for a paid game. */
export const GATHERING = {
  /** From the call on. As long a seat is held. */
  payWithinMs: 30_000,
  /** Who has no open menu for this time is gone. */
  unseenMs: 15_000,
  /** As long while the room is away: the menus have to find a process again. */
  unseenInOutageMs: 5 * 60_000,
  /** So far the clocks of processes may be apart. */
  clockSkewMs: 60_000,
  /** How often an open menu is noted. */
  seenEveryMs: 4_000,
  /** A call that is decided so late was interrupted by the server itself, and nobody is blamed. */
  lateMs: 10_000,
  /** As with unpaid seats: many honest players may share an address. */
  maxPerAddress: 4,
  /** After the first missed call; doubles with each one. */
  firstBarredMs: 30_000,
  maxBarredMs: 30 * 60_000,
} as const;

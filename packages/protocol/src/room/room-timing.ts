/** How patient client and room are with each other. */
export const ROOM_TIMING = {
  joinTimeoutMs: 45_000,
  /** Without updates for `silenceMs`, looked at only after `silenceGraceMs` in the game, the countdown starts. */
  silenceMs: 1_000,
  silenceGraceMs: 5_000,
  disconnectCountdownMs: 8_000,
  tabHiddenCountdownMs: 10_000,
  inactivityLeaveMs: 15_000,
} as const;

/** How often things may be sent and handled. */
export const ROOM_PACE = { minUpdateGapMs: 16, minMovementGapMs: 50 } as const;

/** Kinds of entities that the client caches by id. */
export const ENTITY_CACHE = { maxPerKind: 1_000, minTrimGapMs: 30_000 } as const;

/** The close code at which the client goes back to the menu at once. */
export const LEAVE_TO_MENU_CLOSE_CODE = 1005;

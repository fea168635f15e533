/** What a room allows and how patient it is. Rate limits stand beside each message in the protocol. */
export const ROOM_LIMITS = {
  /** A seat that was taken but never spawned from is given back after this long. */
  spawnWithinSeconds: 30,
  maxSpectators: 50,
  /** One to watch with and one whose connection is only just breaking. */
  maxSpectatorsPerUser: 2,
  spectatorUpdatesPerSecond: 10,
  /**
   * Where money is at stake, what a spectator sees is too old to be passed on to a player. It stays below the
   * silence after which a spectator's client gives up.
   */
  paidSpectatorDelaySeconds: 10,
  /** Closing hours and drains are announced this far ahead. */
  announceClosingSeconds: 5 * 60,
  /** A lobby that is locked or withdrawn while it runs. */
  drainSeconds: 2 * 60,
  /** Everything done in a match is kept until it ends, so even a busy one has to end some day. */
  maxMatchSeconds: 6 * 60 * 60,
  maxMatchCommands: 1_500_000,
  /** A match that people have played in and left ends after this long, so that it can be saved. */
  idleMatchSeconds: 2 * 60,
  /** How often the keeper looks at the lobbies and their hours. */
  lobbyCheckMs: 2_000,
  /** Frames a second of any kind, above which Colyseus drops the connection unheard. */
  maxFramesPerSecond: 300,
} as const;

/**
 * Every refused message adds its weight, and the sum drains by the second. A connection that was stuck for some
 * seconds and then delivers all its pointer moves at once stays below the limit; a script does not.
 */
export const ABUSE = { limit: 200, drainPerSecond: 10, invalidWeight: 10, overRateWeight: 1 } as const;

/** How far a client may fall behind before its updates are held back, and before it is dropped. */
export const BACKLOG = { holdBytes: 64 * 1024, dropBytes: 1024 * 1024 } as const;

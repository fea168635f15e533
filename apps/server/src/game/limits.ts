/** Limits and timings of a room. Rate limits stand beside each message in the protocol. */
export const ROOM_LIMITS = {
  /** A player who takes a seat but does not spawn within this time is refunded. */
  spawnWithinSeconds: 30,
  maxSpectators: 50,
  /** One to watch with, and one whose connection is just breaking. */
  maxSpectatorsPerUser: 2,
  spectatorUpdatesPerSecond: 10,
  /**
   * Where money is at stake, spectators see the arena too late to help a player. Must stay below the silence after
   * which a spectator's client gives up.
   */
  paidSpectatorDelaySeconds: 10,
  /** How far ahead of its closing time a lobby announces it. */
  closingNoticeSeconds: 5 * 60,
  /** The notice when a lobby is locked or removed while its match runs. */
  lockedNoticeSeconds: 2 * 60,
  /** A recording is kept in memory until its match ends, so every match has to end. */
  maxMatchSeconds: 6 * 60 * 60,
  maxMatchCommands: 1_500_000,
  /** A match that has been played and then abandoned ends after this time, so that it can be saved. */
  idleMatchSeconds: 2 * 60,
  /** How often lobbies and their opening hours are checked. */
  lobbyCheckMs: 2_000,
  /** Frames per second of any kind above which Colyseus drops the connection. */
  maxFramesPerSecond: 300,
} as const;

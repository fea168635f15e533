/** Limits and timings of a room. Rate limits stand beside each message in the protocol. */
export const ROOM_LIMITS = {
  /** A player who takes a seat but does not spawn within this time is refunded. */
  spawnWithinSeconds: 30,
  /** How long the arena stays in view after the end of a player's game. */
  gameOverViewSeconds: 3,
  /** How long the connection stays open after the end, for the player's next game. */
  playAgainSeconds: 30,
  /** For how long after that a returning player is told how the game ended. */
  finishedKnownSeconds: 60,
  /** In a full free lobby, how long a player may do nothing, and how long after the notice the seat is given up. */
  idleSeatSeconds: 40,
  idleNoticeSeconds: 20,
  maxSpectators: 50,
  /** One to watch with, and one whose connection is just breaking. */
  maxSpectatorsPerUser: 2,
  /** Each client that gets JSON needs an encoding of its own. */
  maxTextSpectators: 10,
  spectatorUpdatesPerSecond: 10,
  /** How often it is checked that a spectator is still signed in. */
  spectatorCheckMs: 30_000,
  /** How far ahead of its closing time a lobby announces it. */
  closingNoticeSeconds: 5 * 60,
  /** The notice when a lobby is locked or removed while its match runs. */
  lockedNoticeSeconds: 2 * 60,
  /** All of a match can be checked only after its end, so every match has to end. */
  maxMatchSeconds: 24 * 60 * 60,
  /** A match that has been played and then abandoned ends after this time, so that it can be checked. */
  idleMatchSeconds: 2 * 60,
  /** Lines that break within this time broke for one reason. */
  outageWithinMs: 2_000,
  /** How long those who lost their lines together may take to come back, and how often in a match. */
  truceSeconds: 20,
  maxTruces: 3,
  /** Players who gathered begin together after this countdown. */
  beginsInSeconds: 5,
  /** How long after the end of their call the last of them may appear: their payments are verified. */
  gatheredVerifyMs: 15_000,
  /** How long a match from another process is paused for its players to return. */
  returnWithinMs: 1_000,
  /** How often to look for matches that others hand over, while one of them is leaving. */
  takeOverCheckMs: 100,
  /** How long a game process looks for nothing else in that case. */
  takeOverWatchMs: 2_000,
  /** How long the other processes have to notice that this one is leaving. */
  leavingNoticeMs: 2_500,
  /** The notice when the process stops and no other can continue its matches. */
  leavingMatchSeconds: 90,
  /** A match that nobody has entered is paused after this time; by then its bots are in. */
  sleepAfterSeconds: 60,
  /** How often lobbies and their opening hours are checked, and whether a lobby has lost its process. */
  lobbyCheckMs: 1_000,
  /** How often, while a lobby waits for the block that its match depends on. */
  preparingCheckMs: 300,
  /** How long a start waits for those blocks. On a public cluster the lobbies open a little later. */
  startWithinMs: 8_000,
  /** How often a log line that strangers can provoke is written, per kind. */
  sampledLogEveryMs: 1_000,
} as const;

/** Limits on everything that reaches the rooms from outside, before anyone is known to be a player. */
export const ENTRANCE_LIMITS = {
  /** Room processes count each for themselves; the sockets of an address are counted by their host. */
  joinsPerAddress: { perSecond: 1, burst: 20 },
  /** Sockets. A reconnecting client tries up to 12 times. */
  maxSockets: 2_000,
  maxSocketsPerAddress: 40,
  socketsOpenedPerAddress: { perSecond: 5, burst: 60 },
  /** From the upgrade until the client is in a room. */
  handshakeWithinMs: 15_000,
  /** Frames of any kind and bytes on the wire. A client that was stuck delivers several seconds' worth at once. */
  framesPerSocket: { perSecond: 150, burst: 400 },
  bytesPerSocket: { perSecond: 16 * 1024, burst: 128 * 1024 },
  /** Of all sockets of an address together, by the process that reads them. */
  framesPerAddress: { perSecond: 1_500, burst: 6_000 },
  bytesPerAddress: { perSecond: 128 * 1024, burst: 1024 * 1024 },
  /** How far a client may fall behind before its updates are held back, and before it is dropped. */
  backlogHoldBytes: 64 * 1024,
  backlogDropBytes: 1024 * 1024,
  /** A snapshot of the whole arena takes some 150 KB as objects, and what follows it must not wait for another one. */
  textBacklogHoldBytes: 512 * 1024,
} as const;

const ROOM_TIMING = {
  /** Without updates for `silenceMs`, but not in the first `silenceGraceMs` of the game, the countdown starts. */
  silenceMs: 1_000,
  silenceGraceMs: 5_000,
  /** A line that has been lost for this long is replaced by a new one. */
  rejoinAfterMs: 1_500,
  disconnectCountdownMs: 8_000,
  inactivityLeaveMs: 15_000,
} as const;

/** Decides whether the player is still in the game. No sockets or timers here: it is polled a few times a second. */
type ConnectionWatch = {
  readonly isSpectator: boolean;
  /** 0: the tab may stay hidden. */
  readonly tabHiddenTimeoutMs: number;
  /** How long after a join the first state is due. */
  readonly stateDelayMs: number;
  readonly joinedMs: number;
  /** When the last state arrived; before the first, when that one is due. */
  heardMs: number;
  /** Since when the current connection has owed a state. Unlike `heardMs`, it starts again with a new connection. */
  owedSinceMs: number;
  /** When the connection broke; NaN while it is open. */
  brokenMs: number;
  /** When the countdown started; NaN while all is well. */
  countingSinceMs: number;
  /** When the tab was hidden; NaN while it is visible. */
  hiddenSinceMs: number;
};

export type Verdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'lost'; readonly secondsLeft: number }
  | { readonly kind: 'hidden'; readonly secondsLeft: number }
  /** Show the disconnect popup. */
  | { readonly kind: 'disconnected'; readonly wasHidden: boolean }
  /** Back to the menu. */
  | { readonly kind: 'leave' };

export type Watched = Pick<ConnectionWatch, 'isSpectator' | 'tabHiddenTimeoutMs' | 'stateDelayMs'>;

export function createConnectionWatch(watched: Watched, nowMs: number): ConnectionWatch {
  const never = Number.NaN;
  return {
    ...watched,
    joinedMs: nowMs,
    heardMs: nowMs + watched.stateDelayMs,
    owedSinceMs: nowMs + watched.stateDelayMs,
    brokenMs: never,
    countingSinceMs: never,
    hiddenSinceMs: never,
  };
}

export function noteHeard(watch: ConnectionWatch, nowMs: number): void {
  watch.heardMs = nowMs;
  watch.owedSinceMs = nowMs;
  watch.brokenMs = Number.NaN;
}

/** The room has not been asked for states yet, so silence means nothing. */
export function excuseSilence(watch: ConnectionWatch, nowMs: number): void {
  if (Number.isNaN(watch.brokenMs)) noteHeard(watch, nowMs);
}

export function noteBroken(watch: ConnectionWatch, nowMs: number): void {
  if (Number.isNaN(watch.brokenMs)) watch.brokenMs = nowMs;
  watch.owedSinceMs = Math.min(watch.owedSinceMs, nowMs);
}

/** A new connection counts as healthy only once it delivers a state. */
export function noteConnected(watch: ConnectionWatch, nowMs: number): void {
  watch.owedSinceMs = nowMs + watch.stateDelayMs;
}

export function noteVisibility(watch: ConnectionWatch, isHidden: boolean, nowMs: number): void {
  watch.hiddenSinceMs = isHidden && watch.tabHiddenTimeoutMs > 0 ? nowMs : Number.NaN;
}

export function isLost(watch: ConnectionWatch, nowMs: number): boolean {
  if (!Number.isNaN(watch.brokenMs)) return true;
  const isPastGrace = nowMs - watch.joinedMs > ROOM_TIMING.silenceGraceMs;
  return isPastGrace && nowMs - watch.heardMs > ROOM_TIMING.silenceMs;
}

/** Whether to join again instead of waiting any longer. */
export function isRejoinDue(watch: ConnectionWatch, nowMs: number): boolean {
  return isLost(watch, nowMs) && nowMs - watch.owedSinceMs > ROOM_TIMING.rejoinAfterMs;
}

export function judgeConnection(watch: ConnectionWatch, nowMs: number): Verdict {
  if (watch.isSpectator) {
    const hasRejoined = watch.owedSinceMs > watch.heardMs;
    const patienceMs = ROOM_TIMING.inactivityLeaveMs + (hasRejoined ? watch.stateDelayMs : 0);
    return { kind: nowMs - watch.heardMs > patienceMs ? 'leave' : 'fine' };
  }
  if (!isLost(watch, nowMs)) watch.countingSinceMs = Number.NaN;
  else if (Number.isNaN(watch.countingSinceMs)) watch.countingSinceMs = nowMs;

  const lostLeftMs = ROOM_TIMING.disconnectCountdownMs - (nowMs - watch.countingSinceMs);
  const hiddenLeftMs = watch.tabHiddenTimeoutMs - (nowMs - watch.hiddenSinceMs);
  if (lostLeftMs <= 0) return { kind: 'disconnected', wasHidden: false };
  if (hiddenLeftMs <= 0) return { kind: 'disconnected', wasHidden: true };
  if (lostLeftMs > 0) return { kind: 'lost', secondsLeft: Math.ceil(lostLeftMs / 1000) };
  if (hiddenLeftMs > 0) return { kind: 'hidden', secondsLeft: Math.ceil(hiddenLeftMs / 1000) };
  return { kind: 'fine' };
}

const ROOM_TIMING = {
  /** Without updates for `silenceMs`, but not in the first `silenceGraceMs` of the game, the countdown starts. */
  silenceMs: 1_000,
  silenceGraceMs: 5_000,
  disconnectCountdownMs: 8_000,
  inactivityLeaveMs: 15_000,
} as const;

/** Decides whether the player is still in the game. No sockets or timers here: it is polled a few times a second. */
type ConnectionWatch = {
  readonly isSpectator: boolean;
  /** 0: the tab may stay hidden. */
  readonly tabHiddenTimeoutMs: number;
  joinedMs: number;
  /** When the last state arrived; NaN before the first. */
  heardMs: number;
  /** When the connection broke; NaN while it is open. */
  brokenMs: number;
  /** When the countdown started; NaN while all is well. */
  countingSinceMs: number;
  /** When the tab was hidden; NaN while it is visible. */
  hiddenSinceMs: number;
};

type Verdict =
  | { readonly kind: 'fine' }
  | { readonly kind: 'lost'; readonly secondsLeft: number }
  | { readonly kind: 'hidden'; readonly secondsLeft: number }
  /** Show the disconnect popup. */
  | { readonly kind: 'disconnected' }
  /** Back to the menu. */
  | { readonly kind: 'leave' };

export function createConnectionWatch(
  isSpectator: boolean,
  tabHiddenTimeoutMs: number,
  nowMs: number,
): ConnectionWatch {
  const never = Number.NaN;
  return {
    isSpectator,
    tabHiddenTimeoutMs,
    joinedMs: nowMs,
    heardMs: never,
    brokenMs: never,
    countingSinceMs: never,
    hiddenSinceMs: never,
  };
}

export function noteHeard(watch: ConnectionWatch, nowMs: number): void {
  watch.heardMs = nowMs;
  watch.brokenMs = Number.NaN;
}

export function noteBroken(watch: ConnectionWatch, nowMs: number): void {
  if (Number.isNaN(watch.brokenMs)) watch.brokenMs = nowMs;
}

export function noteVisibility(watch: ConnectionWatch, isHidden: boolean, nowMs: number): void {
  watch.hiddenSinceMs = isHidden && watch.tabHiddenTimeoutMs > 0 ? nowMs : Number.NaN;
}

export function judgeConnection(watch: ConnectionWatch, nowMs: number): Verdict {
  const silentForMs = nowMs - watch.heardMs;
  if (watch.isSpectator) {
    const isOver = silentForMs > ROOM_TIMING.inactivityLeaveMs;
    return { kind: isOver || nowMs - watch.brokenMs > ROOM_TIMING.inactivityLeaveMs ? 'leave' : 'fine' };
  }
  const isPastGrace = nowMs - watch.joinedMs > ROOM_TIMING.silenceGraceMs;
  const isSilent = isPastGrace && silentForMs > ROOM_TIMING.silenceMs;
  if (!isSilent && Number.isNaN(watch.brokenMs)) watch.countingSinceMs = Number.NaN;
  else if (Number.isNaN(watch.countingSinceMs)) watch.countingSinceMs = nowMs;

  const lostLeftMs = ROOM_TIMING.disconnectCountdownMs - (nowMs - watch.countingSinceMs);
  const hiddenLeftMs = watch.tabHiddenTimeoutMs - (nowMs - watch.hiddenSinceMs);
  if (lostLeftMs <= 0 || hiddenLeftMs <= 0) return { kind: 'disconnected' };
  if (lostLeftMs > 0) return { kind: 'lost', secondsLeft: Math.ceil(lostLeftMs / 1000) };
  if (hiddenLeftMs > 0) return { kind: 'hidden', secondsLeft: Math.ceil(hiddenLeftMs / 1000) };
  return { kind: 'fine' };
}

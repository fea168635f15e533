/** How far the server's clock is ahead of the player's; 0 while the two agree as far as can be told. */
let aheadMs = 0;

/** The time by the server's clock, which decides what is open and how old something is. The player's may be wrong. */
export function serverNowMs(): number {
  return Date.now() + aheadMs;
}

/** Every answer tells in whole seconds when it was given: at some moment between the question and now. */
export function noteServerTime(dateHeader: string | null, askedAtMs: number): void {
  const answeredAtMs = Date.parse(dateHeader ?? '');
  if (Number.isNaN(answeredAtMs)) return;
  const leastMs = answeredAtMs - Date.now();
  const mostMs = answeredAtMs + 1_000 - askedAtMs;
  aheadMs = Math.min(Math.max(aheadMs, leastMs), mostMs);
}

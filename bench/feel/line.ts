export type Line = { readonly rttMs: number; readonly jitterMs: number };

export const LINES: readonly Line[] = [
  { rttMs: 0, jitterMs: 0 },
  { rttMs: 10, jitterMs: 0 },
  { rttMs: 50, jitterMs: 0 },
  { rttMs: 100, jitterMs: 20 },
  { rttMs: 150, jitterMs: 20 },
  { rttMs: 200, jitterMs: 40 },
  { rttMs: 300, jitterMs: 0 },
];

const LOSS = 0.02;
/** The message after a lost one shows the gap. */
const NOTICED_AFTER_MS = 40;

/**
 * One direction of a connection that keeps the order. A lost message is sent again when its successor has been
 * answered, a round trip later, and everything behind it waits. Returns when a message sent at `nowMs` arrives.
 */
export function openLine({ rttMs, jitterMs }: Line, random: () => number): (nowMs: number) => number {
  let lastMs = Number.NEGATIVE_INFINITY;
  return (nowMs) => {
    const jitter = ((random() * 2 - 1) * jitterMs) / 2;
    const resent = random() < LOSS ? rttMs + NOTICED_AFTER_MS : 0;
    lastMs = Math.max(lastMs, nowMs + rttMs / 2 + jitter + resent);
    return lastMs;
  };
}

/** Pseudo-random numbers from 0 to 1, the same for the same seed. */
export function createChance(seed: number): () => number {
  let state = (seed * 2_654_435_761) >>> 0;
  return () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

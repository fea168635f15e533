import type { MessageLimit } from './message-limit.ts';

/** How much may be taken right now; it fills up again with time. */
export type TokenBucket = { readonly limit: MessageLimit; tokens: number; filledAtMs: number };

export function createBucket(limit: MessageLimit, nowMs: number): TokenBucket {
  return { limit, tokens: limit.burst, filledAtMs: nowMs };
}

/** False, and nothing taken, when there is not enough in it. */
export function takeTokens(bucket: TokenBucket, count: number, nowMs: number): boolean {
  const { perSecond, burst } = bucket.limit;
  const gained = (Math.max(0, nowMs - bucket.filledAtMs) * perSecond) / 1000;
  bucket.tokens = Math.min(burst, bucket.tokens + gained);
  bucket.filledAtMs = nowMs;
  if (bucket.tokens < count) return false;
  bucket.tokens -= count;
  return true;
}

/** How often one connection may send a message: a bucket of `burst` that refills at `perSecond`. */
export type MessageLimit = { readonly perSecond: number; readonly burst: number };

/** How much may be taken now; it refills over time. */
export type TokenBucket = { readonly limit: MessageLimit; tokens: number; filledAtMs: number };

export function createBucket(limit: MessageLimit, nowMs: number): TokenBucket {
  return { limit, tokens: limit.burst, filledAtMs: nowMs };
}

/** Takes nothing and returns false when there are not enough tokens. */
export function takeTokens(bucket: TokenBucket, count: number, nowMs: number): boolean {
  const { perSecond, burst } = bucket.limit;
  const gained = (Math.max(0, nowMs - bucket.filledAtMs) * perSecond) / 1000;
  bucket.tokens = Math.min(burst, bucket.tokens + gained);
  bucket.filledAtMs = nowMs;
  if (bucket.tokens < count) return false;
  bucket.tokens -= count;
  return true;
}

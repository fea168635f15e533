import { createBucket, type MessageLimit, type TokenBucket, takeTokens } from './token-bucket.ts';

/** Bounds memory. Beyond this, the key that was quiet the longest is forgotten. */
const MAX_KEYS = 20_000;

/** A token bucket for each address, user or the like. Returns whether one more, or that many, is allowed now. */
export function createKeyedLimit(
  { perSecond, burst }: MessageLimit,
  clock: { monotonicMs(): number },
  scale = 1,
): (key: string, count?: number) => boolean {
  const limit = { perSecond: perSecond * scale, burst: burst * scale };
  const buckets = new Map<string, TokenBucket>();
  return (key, count = 1) => {
    const nowMs = clock.monotonicMs();
    const bucket = buckets.get(key) ?? createBucket(limit, nowMs);
    // Deleted first, so that the map stays in the order of last use.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > MAX_KEYS) buckets.delete(buckets.keys().next().value!);
    return takeTokens(bucket, count, nowMs);
  };
}

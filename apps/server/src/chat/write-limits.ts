import { createBucket, type MessageLimit, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';

const PER_USER: MessageLimit = { burst: 5, perSecond: 0.5 };
/** Accounts cost nothing, so those behind one address share a limit. */
const PER_ADDRESS: MessageLimit = { burst: 15, perSecond: 1.5 };
/** Until then every bucket is full again and need not be remembered. */
const REFILL_MS = 60_000;

export type WriteLimits = {
  take(author: { readonly userId: string; readonly address: string }): boolean;
};

/** How often somebody may write, over all channels. `scale` raises it where many clients share an address. */
export function createWriteLimits(scale: number, nowMs: () => number): WriteLimits {
  const buckets = new Map<string, TokenBucket>();
  let sweptAtMs = nowMs();
  const bucketOf = (key: string, { burst, perSecond }: MessageLimit): TokenBucket => {
    const bucket =
      buckets.get(key) ?? createBucket({ burst: burst * scale, perSecond: perSecond * scale }, nowMs());
    buckets.set(key, bucket);
    return bucket;
  };
  const sweep = () => {
    if (nowMs() - sweptAtMs < REFILL_MS) return;
    sweptAtMs = nowMs();
    for (const [key, { filledAtMs }] of buckets) if (filledAtMs <= sweptAtMs - REFILL_MS) buckets.delete(key);
  };
  return {
    take: ({ userId, address }) => {
      sweep();
      return (
        takeTokens(bucketOf(`user ${userId}`, PER_USER), 1, nowMs()) &&
        takeTokens(bucketOf(`address ${address}`, PER_ADDRESS), 1, nowMs())
      );
    },
  };
}

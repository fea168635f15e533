import { isIPv6 } from 'node:net';
import { createBucket, type MessageLimit, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';
import type { Clock } from '../ports.ts';

/** Bounds memory. Beyond this, the key that was quiet the longest is forgotten. */
const MAX_KEYS = 20_000;

/** A token bucket for each address, user or the like. Returns whether one more is allowed now. */
export function createKeyedLimit(
  { perSecond, burst }: MessageLimit,
  clock: Clock,
  scale = 1,
): (key: string) => boolean {
  const limit = { perSecond: perSecond * scale, burst: burst * scale };
  const buckets = new Map<string, TokenBucket>();
  return (key) => {
    const nowMs = clock.monotonicMs();
    const bucket = buckets.get(key) ?? createBucket(limit, nowMs);
    // Deleted first, so that the map stays in the order of last use.
    buckets.delete(key);
    buckets.set(key, bucket);
    if (buckets.size > MAX_KEYS) buckets.delete(buckets.keys().next().value!);
    return takeTokens(bucket, 1, nowMs);
  };
}

/** An IPv4 address, or the /64 network of an IPv6 address: anyone with IPv6 has a whole /64 to choose from. */
export function networkOf(address: string): string {
  const [plain = ''] = address.split('%');
  const [, mapped] = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(plain) ?? [];
  if (mapped !== undefined) return mapped;
  if (!isIPv6(plain)) return plain.slice(0, 64);
  const [left = '', right] = plain.toLowerCase().split('::');
  const head = left === '' ? [] : left.split(':');
  const tail = right === undefined || right === '' ? [] : right.split(':');
  const zeros = right === undefined ? 0 : Math.max(0, 8 - head.length - tail.length);
  const groups = [...head, ...Array<string>(zeros).fill('0'), ...tail];
  return `${groups
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, ''))
    .join(':')}::/64`;
}

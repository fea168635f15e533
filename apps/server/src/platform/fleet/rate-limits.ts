import { createBucket, type MessageLimit, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';
import type { RedisLink } from './redis.ts';

/** Counts what people do, over all processes. */
export type RateLimits = {
  /** Takes one token from the bucket of that key, or refuses. */
  take(key: string, limit: MessageLimit): Promise<boolean>;
  /** Puts back what was taken. */
  giveBack(key: string, limit: MessageLimit): Promise<void>;
  /** Counts one more in the window of that key, which begins with the first. */
  count(key: string, windowMs: number): Promise<WindowCount>;
};

type WindowCount = { readonly current: number; readonly msLeft: number };

/** Bounds memory. Beyond this, the key that was quiet the longest is forgotten. */
const MAX_KEYS = 20_000;

/** Counts in this process only. */
export function createMemoryRateLimits(nowMs: () => number): RateLimits {
  const buckets = new Map<string, TokenBucket>();
  const windows = new Map<string, { current: number; endsAtMs: number }>();
  const bucketOf = (key: string, limit: MessageLimit) =>
    touch(buckets, key, buckets.get(key) ?? createBucket(limit, nowMs()));
  return {
    take: async (key, limit) => takeTokens(bucketOf(key, limit), 1, nowMs()),
    giveBack: async (key, limit) => {
      bucketOf(key, limit).tokens++;
    },
    count: async (key, windowMs) => {
      const known = windows.get(key);
      const isRunning = known !== undefined && known.endsAtMs > nowMs();
      const window = touch(windows, key, isRunning ? known : { current: 0, endsAtMs: nowMs() + windowMs });
      window.current++;
      return { current: window.current, msLeft: window.endsAtMs - nowMs() };
    },
  };
}

/** Keeps the map in the order of last use. */
function touch<Value>(map: Map<string, Value>, key: string, value: Value): Value {
  map.delete(key);
  map.set(key, value);
  if (map.size > MAX_KEYS) map.delete(map.keys().next().value!);
  return value;
}

/** By the clock of Redis, so that those of our machines need not agree. Taking -1 gives one back. */
const TAKE = `
  local time = redis.call('TIME')
  local now = time[1] * 1000 + time[2] / 1000
  local burst, perMs, count = tonumber(ARGV[1]), tonumber(ARGV[2]), tonumber(ARGV[3])
  local known = redis.call('HMGET', KEYS[1], 'tokens', 'at')
  local tokens = burst
  if known[1] then tokens = math.min(burst, known[1] + math.max(0, now - known[2]) * perMs) end
  local isTaken = tokens >= count
  if isTaken then tokens = math.min(burst, tokens - count) end
  redis.call('HSET', KEYS[1], 'tokens', string.format('%.6f', tokens), 'at', string.format('%.3f', now))
  redis.call('PEXPIRE', KEYS[1], math.ceil(burst / perMs))
  return isTaken and 1 or 0
`;

const COUNT = `
  local current = redis.call('INCR', KEYS[1])
  if current == 1 then redis.call('PEXPIRE', KEYS[1], ARGV[1]) end
  return { current, redis.call('PTTL', KEYS[1]) }
`;

/** Counts in Redis, and in this process while Redis is away; the counts then start over in each process. */
export function createRedisRateLimits(redis: RedisLink, nowMs: () => number): RateLimits {
  const memory = createMemoryRateLimits(nowMs);
  const run = (script: string, key: string, ...values: number[]): Promise<unknown> =>
    redis.run((commands) => commands.eval(script, 1, `${redis.prefix}limit:${key}`, ...values));
  const change = async (key: string, { burst, perSecond }: MessageLimit, count: 1 | -1) =>
    (await run(TAKE, key, burst, perSecond / 1000, count)) === 1;
  return {
    take: (key, limit) => change(key, limit, 1).catch(() => memory.take(key, limit)),
    giveBack: async (key, limit) => {
      await change(key, limit, -1).catch(() => memory.giveBack(key, limit));
    },
    count: async (key, windowMs) => {
      try {
        const [current, msLeft] = (await run(COUNT, key, windowMs)) as [number, number];
        return { current, msLeft };
      } catch {
        return memory.count(key, windowMs);
      }
    },
  };
}

import { refuse } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import { createBucket, type MessageLimit, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';
import type { UserRow } from '../platform/database/people.ts';
import type { CallRefusal } from './serve-call.ts';

/*
 * Codes are short, so guessing must be slow: wrong codes are counted by account and by address, whichever call they
 * were tried with. Kept in memory: a restart forgives a few guesses, which changes nothing about the odds.
 */

const WRONG_PER_ACCOUNT: MessageLimit = { burst: 5, perSecond: 5 / 600 };
const WRONG_PER_ADDRESS: MessageLimit = { burst: 20, perSecond: 20 / 600 };
/** How long it takes until a bucket is full again, and need not be remembered. */
const REFILL_MS = 600_000;

export type GuessLimits = {
  /** Runs `attempt`, unless there have been too many wrong ones. It counts only if `isWrong`. */
  limit<Value, Refusal>(
    guesser: Guesser,
    attempt: () => Promise<Result<Value, Refusal>>,
    isWrong: (result: Result<Value, Refusal>) => boolean,
  ): Promise<Result<Value, Refusal | CallRefusal>>;
};

type Guesser = {
  readonly user: UserRow;
  readonly client: { readonly address: string; readonly limitScale: number };
};

export function createGuessLimits(nowMs: () => number): GuessLimits {
  const buckets = new Map<string, TokenBucket>();
  let sweptAtMs = nowMs();
  const sweep = () => {
    if (nowMs() - sweptAtMs < REFILL_MS) return;
    sweptAtMs = nowMs();
    for (const [key, { filledAtMs }] of buckets) if (filledAtMs <= sweptAtMs - REFILL_MS) buckets.delete(key);
  };
  const bucketOf = (key: string, { burst, perSecond }: MessageLimit, scale: number): TokenBucket => {
    const limit = { burst: burst * scale, perSecond: perSecond * scale };
    const bucket = buckets.get(key) ?? createBucket(limit, nowMs());
    buckets.set(key, bucket);
    return bucket;
  };
  return {
    limit: async ({ user, client }, attempt, isWrong) => {
      sweep();
      const account = bucketOf(`account ${user.id}`, WRONG_PER_ACCOUNT, 1);
      const address = bucketOf(`address ${client.address}`, WRONG_PER_ADDRESS, client.limitScale);
      // Taken before the answer is known, so that guesses at the same moment are counted, too.
      if (!takeTokens(account, 1, nowMs())) return refuse('RATE_LIMITED');
      if (!takeTokens(address, 1, nowMs())) {
        account.tokens++;
        return refuse('RATE_LIMITED');
      }
      const result = await attempt();
      if (!isWrong(result)) {
        account.tokens++;
        address.tokens++;
      }
      return result;
    },
  };
}

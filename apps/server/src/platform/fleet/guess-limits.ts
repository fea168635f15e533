import { type Failure, refuse } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import type { MessageLimit } from '@engulf/protocol/token-bucket';
import type { UserRow } from '../database/people.ts';
import type { RateLimits } from './rate-limits.ts';

/*
 * Codes are short, so guessing must be slow: wrong codes are counted by account and by address, over all calls and
 * spectating. Losing the counts allows a few more guesses, which does not change the odds.
 */

const WRONG_PER_ACCOUNT: MessageLimit = { burst: 5, perSecond: 5 / 600 };
const WRONG_PER_ADDRESS: MessageLimit = { burst: 20, perSecond: 20 / 600 };

export type GuessLimits = {
  /** Runs `attempt`, unless there have been too many wrong ones. It counts only if `isWrong`. */
  limit<Value, Refusal>(
    guesser: Guesser,
    attempt: () => Promise<Result<Value, Refusal>>,
    isWrong: (result: Result<Value, Refusal>) => boolean,
  ): Promise<Result<Value, Refusal | Failure<'RATE_LIMITED'>>>;
};

type Guesser = {
  readonly user: Pick<UserRow, 'id'>;
  readonly client: { readonly address: string; readonly limitScale: number };
};

export function createGuessLimits(limits: RateLimits): GuessLimits {
  return {
    limit: async ({ user, client: { address, limitScale } }, attempt, isWrong) => {
      const ofAccount = [`guess account ${user.id}`, WRONG_PER_ACCOUNT] as const;
      const { burst, perSecond } = WRONG_PER_ADDRESS;
      const scaled = { burst: burst * limitScale, perSecond: perSecond * limitScale };
      const ofAddress = [`guess address ${address}`, scaled] as const;
      // Counted before the answer is known, so that concurrent guesses count as well.
      if (!(await limits.take(...ofAccount))) return refuse('RATE_LIMITED');
      if (!(await limits.take(...ofAddress))) {
        await limits.giveBack(...ofAccount);
        return refuse('RATE_LIMITED');
      }
      const result = await attempt();
      if (!isWrong(result)) await Promise.all([limits.giveBack(...ofAccount), limits.giveBack(...ofAddress)]);
      return result;
    },
  };
}

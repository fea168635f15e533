import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { MessageLimit } from '@engulf/protocol/token-bucket';
import type { RateLimits } from '../platform/fleet/rate-limits.ts';
import type { ChatChannel } from './channels.ts';

const PER_USER: MessageLimit = { burst: 5, perSecond: 0.5 };
/** Accounts cost nothing, so those behind one address share a limit. */
const PER_ADDRESS: MessageLimit = { burst: 15, perSecond: 1.5 };
/** More lines than this make a channel slow for a while: nobody can read them. */
const PER_CHANNEL: MessageLimit = { burst: 30, perSecond: 3 };
const SLOW_MS = 60_000;
const SLOW_SECONDS = 15;
const SLOW_PER_USER: MessageLimit = { burst: 1, perSecond: 1 / SLOW_SECONDS };
const SLOW_PER_ADDRESS: MessageLimit = { burst: 2, perSecond: 2 / SLOW_SECONDS };
const SLOW_PER_CHANNEL: MessageLimit = { burst: 6, perSecond: 3 };

type Writer = { readonly userId: string; readonly address: string };

export type WriteLimits = {
  /** Over all channels, private lines included. */
  take(author: Writer): Promise<boolean>;
  /** For a line that a whole channel will read. */
  takeLine(author: Writer, channel: ChatChannel): Promise<Result<undefined, Failure<'CHAT_SLOW_MODE'>>>;
};

/** How often somebody may write. `scale` raises it where many clients share an address. */
export function createWriteLimits(scale: number, limits: RateLimits, nowMs: () => number): WriteLimits {
  const slowUntilMs = new Map<ChatChannel, number>();
  const take = (key: string, { burst, perSecond }: MessageLimit) =>
    limits.take(`chat ${key}`, { burst: burst * scale, perSecond: perSecond * scale });
  return {
    take: async ({ userId, address }) =>
      (await take(`user ${userId}`, PER_USER)) && (await take(`address ${address}`, PER_ADDRESS)),
    takeLine: async ({ userId, address }, channel) => {
      const isSlow = (slowUntilMs.get(channel) ?? 0) > nowMs();
      if (!isSlow && (await take(`channel ${channel}`, PER_CHANNEL))) return ok(undefined);
      if (!isSlow) slowUntilMs.set(channel, nowMs() + SLOW_MS);
      const isTaken =
        (await take(`slow user ${userId}`, SLOW_PER_USER)) &&
        (await take(`slow address ${address}`, SLOW_PER_ADDRESS)) &&
        (await take(`slow channel ${channel}`, SLOW_PER_CHANNEL));
      return isTaken ? ok(undefined) : refuse('CHAT_SLOW_MODE', { seconds: SLOW_SECONDS });
    },
  };
}

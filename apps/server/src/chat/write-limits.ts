import type { MessageLimit } from '@engulf/protocol/token-bucket';
import type { RateLimits } from '../platform/fleet/rate-limits.ts';

const PER_USER: MessageLimit = { burst: 5, perSecond: 0.5 };
/** Accounts cost nothing, so those behind one address share a limit. */
const PER_ADDRESS: MessageLimit = { burst: 15, perSecond: 1.5 };

export type WriteLimits = {
  take(author: { readonly userId: string; readonly address: string }): Promise<boolean>;
};

/** How often somebody may write, over all channels. `scale` raises it where many clients share an address. */
export function createWriteLimits(scale: number, limits: RateLimits): WriteLimits {
  const scaled = ({ burst, perSecond }: MessageLimit) => ({
    burst: burst * scale,
    perSecond: perSecond * scale,
  });
  return {
    take: async ({ userId, address }) =>
      (await limits.take(`chat user ${userId}`, scaled(PER_USER))) &&
      (await limits.take(`chat address ${address}`, scaled(PER_ADDRESS))),
  };
}

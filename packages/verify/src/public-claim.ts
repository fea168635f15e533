import type { PublicMatch } from '@engulf/protocol/http/matches';

/** What the server says of the recording that it shows: of all of it, or while the match runs of what is old enough. */
export type PublicClaim = {
  readonly isRunning: boolean;
  readonly secret: string | null;
  readonly finalTick: number | null;
  readonly finalHash: string | null;
  readonly isCut: boolean | null;
};

export function claimOf({ state, published, secret, finalTick, finalHash, isCut }: PublicMatch): PublicClaim {
  if (state === 'ended') return { isRunning: false, secret, finalTick, finalHash, isCut };
  return {
    isRunning: true,
    secret: published?.secret ?? null,
    finalTick: published?.tick ?? null,
    finalHash: published?.hash ?? null,
    isCut: false,
  };
}

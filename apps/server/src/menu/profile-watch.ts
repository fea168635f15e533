import type { UserId } from '@engulf/domain/ids/entity-ids';
import { type Profile, readProfiles } from '../accounts/profile.ts';
import type { Context } from '../platform/context.ts';
import { lookRegularly } from './look-regularly.ts';
import type { Visitors } from './visitors.ts';

const LOOKS = { everyMs: 5_000, what: 'the profiles of visitors' } as const;

/**
 * Tells signed-in visitors when their name, picture, colour, multiplier or rank has changed, whether by themselves, an operator
 * or another player's cash-out.
 */
export function watchProfiles(context: Pick<Context, 'db' | 'logger'>, visitors: Visitors): () => void {
  let shown: ReadonlyMap<UserId, string> = new Map();
  return lookRegularly(context, visitors, LOOKS, async () => {
    const profiles = await readProfiles(context, visitors.userIds());
    const texts = new Map([...profiles].map(([userId, profile]) => [userId, textOf(profile)]));
    for (const [userId, profile] of profiles) {
      if (shown.get(userId) !== texts.get(userId)) visitors.windowsOf(userId).emit('profile:update', profile);
    }
    shown = texts;
  });
}

const textOf = ({ name, avatarUrl, colour, rank, multiplier }: Profile): string =>
  JSON.stringify([name, avatarUrl, colour, rank, multiplier]);

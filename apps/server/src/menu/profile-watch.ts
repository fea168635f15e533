import type { UserId } from '@engulf/domain/ids/entity-ids';
import { type Profile, readProfiles } from '../accounts/profile.ts';
import type { Context } from '../platform/context.ts';
import type { Visitors } from './visitors.ts';

const LOOK_MS = 5_000;

/**
 * Tells signed-in visitors when their name, picture, multiplier or rank has changed, whoever changed it: they, an
 * operator, or somebody else's cash-out.
 */
export function watchProfiles(context: Context, visitors: Visitors): () => void {
  let shown: ReadonlyMap<UserId, string> = new Map();
  let isReading = false;
  let isStopped = false;
  const look = async () => {
    const userIds = visitors.userIds();
    if (isReading || userIds.length === 0) return;
    isReading = true;
    try {
      const profiles = await readProfiles(context, userIds);
      const texts = new Map([...profiles].map(([userId, profile]) => [userId, textOf(profile)]));
      for (const [userId, profile] of profiles) {
        if (shown.get(userId) !== texts.get(userId))
          visitors.windowsOf(userId).emit('profile:update', profile);
      }
      shown = texts;
    } catch (error) {
      if (!isStopped)
        context.logger.error(
          { code: 'MENU_NOT_READ', err: error },
          'the profiles of visitors could not be read',
        );
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(look, LOOK_MS);
  return () => {
    isStopped = true;
    clearInterval(timer);
  };
}

const textOf = ({ name, avatarUrl, rank, multiplier }: Profile): string =>
  JSON.stringify([name, avatarUrl, rank, multiplier]);

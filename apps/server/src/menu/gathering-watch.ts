import type { UserId } from '@engulf/domain/ids/entity-ids';
import { noteSeen } from '../gathering/gatherers.ts';
import { GATHERING } from '../gathering/gathering-rules.ts';
import type { Context } from '../platform/context.ts';
import { lookRegularly } from './look-regularly.ts';
import type { MenuCopy } from './menu-copy.ts';
import type { Visitors } from './visitors.ts';

const LOOKS = { everyMs: 500, what: 'those who gather' } as const;

/** Tells players who gather how it stands, and notes that their menus are open. Returns a function that stops it. */
export function watchGathering(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  copy: MenuCopy,
  visitors: Visitors,
): () => void {
  let told: ReadonlySet<UserId> = new Set();
  let source: ReturnType<MenuCopy['gatherers']> | undefined;
  let seenAtMs = 0;
  return lookRegularly(context, visitors, LOOKS, async () => {
    if (source === copy.gatherers()) return;
    source = copy.gatherers();
    const here = new Set(visitors.userIds());
    const ours = source.filter(({ userId }) => here.has(userId));
    for (const { userId, lobbyId, state, callEndsAt } of ours) {
      const call = state === 'called' && callEndsAt ? callEndsAt.getTime() : undefined;
      visitors
        .windowsOf(userId)
        .emit(
          'gathering',
          call === undefined ? { state: 'waiting', lobbyId } : { state: 'called', lobbyId, endsAtMs: call },
        );
    }
    const now = new Set(ours.map(({ userId }) => userId));
    for (const userId of told)
      if (!now.has(userId)) visitors.windowsOf(userId).emit('gathering', { state: 'away' });
    told = now;
    const nowMs = context.nowMs();
    if (now.size === 0 || Math.abs(nowMs - seenAtMs) < GATHERING.seenEveryMs) return;
    seenAtMs = nowMs;
    await noteSeen(context.db, [...now], nowMs);
  });
}

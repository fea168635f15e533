import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { and, inArray } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import { sessionConflict } from './entry-answers.ts';

/** For each user: a match that is running, or a payment that is being decided. */
export async function readSessionConflicts(
  context: Pick<Context, 'db' | 'presence' | 'nowMs'>,
  userIds: readonly UserId[],
): Promise<(SessionConflict | undefined)[]> {
  const open = await context.db
    .select()
    .from(entries)
    .where(
      and(inArray(entries.userId, [...userIds]), inArray(entries.state, ['playing', 'payment_processing'])),
    );
  const conflicts = await Promise.all(open.map((entry) => sessionConflict(context, entry)));
  const byUser = new Map(open.map(({ userId }, nth) => [userId, conflicts[nth]!.conflict]));
  return userIds.map((id) => byUser.get(id));
}

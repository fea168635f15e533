import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { and, eq, inArray } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import { sessionConflict } from './entry-answers.ts';

/** Why another window of the user is warned: the user is playing, or a payment is being decided. */
export async function readSessionConflict(
  context: Context,
  userId: UserId,
): Promise<SessionConflict | undefined> {
  const [entry] = await context.db
    .select()
    .from(entries)
    .where(and(eq(entries.userId, userId), inArray(entries.state, ['playing', 'payment_processing'])));
  return entry && sessionConflict(entry, context.nowMs()).conflict;
}

import { and, eq, gt, isNull, lte, not, or } from 'drizzle-orm';
import { DEAD_AFTER_MS } from '../game-host/game-processes.ts';
import type { Context } from '../platform/context.ts';
import { entries, gameProcesses } from '../platform/database/games.ts';
import { settleEntry } from './settle-entry.ts';

/**
 * A process that died took its rooms with it: everyone who was alive there gets the whole bounty back. If it was
 * only asleep, what its rooms say later finds the entries settled. This process is awake, however long it slept.
 */
export async function recoverEntries(context: Context): Promise<number> {
  const { db, logger } = context;
  const deadSince = new Date(context.nowMs() - DEAD_AFTER_MS);
  const isThis = eq(gameProcesses.id, context.processId);
  await db.delete(gameProcesses).where(and(lte(gameProcesses.seenAt, deadSince), not(isThis)));
  const orphans = await db
    .select({ id: entries.id })
    .from(entries)
    .leftJoin(
      gameProcesses,
      and(eq(gameProcesses.id, entries.heldBy), or(gt(gameProcesses.seenAt, deadSince), isThis)),
    )
    .where(and(eq(entries.state, 'playing'), or(isNull(entries.heldBy), isNull(gameProcesses.id))));
  for (const { id } of orphans) {
    const { isNew } = await db.transaction((tx) =>
      settleEntry(context, tx, { entryId: id, kind: 'fault', amount: undefined, massMilli: null }),
    );
    if (isNew) logger.warn({ entryId: id }, 'an entry is returned: the process that played it is gone');
  }
  return orphans.length;
}

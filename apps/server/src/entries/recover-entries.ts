import { and, eq, isNull, ne, or } from 'drizzle-orm';
import type { Context } from '../context.ts';
import { entries } from '../database/games.ts';
import { settleEntry } from './settle-entry.ts';

/**
 * A process that died took its rooms with it: everyone who was alive there gets the whole bounty back. To be
 * called while no other process plays, before this one opens rooms.
 */
export async function recoverEntries(context: Context): Promise<number> {
  const isOrphan = and(
    eq(entries.state, 'playing'),
    or(isNull(entries.heldBy), ne(entries.heldBy, context.processId)),
  );
  const orphans = await context.db.select({ id: entries.id }).from(entries).where(isOrphan);
  for (const { id } of orphans) {
    await context.db.transaction((tx) =>
      settleEntry(context, tx, { entryId: id, kind: 'fault', amount: undefined, massMilli: null }),
    );
    context.logger.warn({ entryId: id }, 'entry returned after a fault of the server');
  }
  return orphans.length;
}

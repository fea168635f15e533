import type { EntryId } from '@engulf/domain/ids/entity-ids';
import { and, eq, isNull, notInArray, or } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries, gameProcesses } from '../platform/database/games.ts';
import { settleEntry } from './settle-entry.ts';

/** Entries whose match died with its process. */
export async function orphanedEntries(context: Pick<Context, 'db'>): Promise<EntryId[]> {
  const { db } = context;
  const living = db.select({ id: gameProcesses.id }).from(gameProcesses);
  const rows = await db
    .select({ id: entries.id })
    .from(entries)
    .where(and(eq(entries.state, 'playing'), or(isNull(entries.heldBy), notInArray(entries.heldBy, living))));
  return rows.map(({ id }) => id);
}

/**
 * Everyone who was alive gets the whole bounty back. If the process was only asleep, its later reports find the entries
 * settled and change nothing.
 */
export async function recoverEntry(
  context: Pick<Context, 'db' | 'logger' | 'traces' | 'nowMs'>,
  entryId: EntryId,
): Promise<void> {
  const request = { entryId, kind: 'fault', amount: undefined, massMilli: null } as const;
  const { isNew } = await context.db.transaction((tx) => settleEntry(context, tx, request));
  if (!isNew) return;
  context.logger.warn({ code: 'ENTRY_RECOVERED', entryId }, 'refunded: the process of this match is gone');
}

/** At the start, before the doors open. An entry that fails is left to the worker, which retries it. */
export async function recoverEntries(
  context: Pick<Context, 'db' | 'logger' | 'traces' | 'nowMs'>,
): Promise<number> {
  const orphans = await orphanedEntries(context);
  for (const entryId of orphans) {
    await recoverEntry(context, entryId).catch((error: unknown) =>
      context.logger.error({ code: 'WORK_FAILED', err: error, entryId }, 'an entry could not be recovered'),
    );
  }
  return orphans.length;
}

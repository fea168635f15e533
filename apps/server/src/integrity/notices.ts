import type { UserId } from '@engulf/domain/ids/entity-ids';
import { and, count, eq, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { integrityReports, integrityWarnings } from '../platform/database/integrity.ts';
import type { Database } from '../platform/database/open-database.ts';

/** What a player is told. Never a score, and of others only whether something was done. */
export type Notices = {
  /** Times of warnings that have not been read. */
  readonly warnings: readonly string[];
  readonly reports: { readonly waiting: number; readonly acted: number; readonly dismissed: number };
};

export async function readNotices({ db }: Pick<Context, 'db'>, userId: UserId): Promise<Notices> {
  const warnings = await db
    .select({ at: integrityWarnings.createdAt })
    .from(integrityWarnings)
    .where(and(eq(integrityWarnings.userId, userId), isNull(integrityWarnings.seenAt)));
  const isTheirs = eq(integrityReports.reporter, userId);
  const outcomes = await db
    .select({ outcome: integrityReports.outcome, count: count() })
    .from(integrityReports)
    .where(and(isTheirs, sql`(${integrityReports.outcome} is null or ${integrityReports.toldAt} is null)`))
    .groupBy(integrityReports.outcome);
  const countOf = (outcome: string | null) => outcomes.find((row) => row.outcome === outcome)?.count ?? 0;
  return {
    warnings: warnings.map(({ at }) => at.toISOString()),
    reports: {
      waiting: countOf(null),
      acted: countOf('acted'),
      // Whether a case was dismissed or there was none says too much about what is looked for.
      dismissed: countOf('dismissed') + countOf('nothing found'),
    },
  };
}

/** The player has read them. */
export async function markRead({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>, userId: UserId): Promise<void> {
  const now = new Date(nowMs());
  await db.transaction(async (tx) => {
    await tx
      .update(integrityWarnings)
      .set({ seenAt: now })
      .where(and(eq(integrityWarnings.userId, userId), isNull(integrityWarnings.seenAt)));
    await tx
      .update(integrityReports)
      .set({ toldAt: now })
      .where(
        and(
          eq(integrityReports.reporter, userId),
          isNotNull(integrityReports.outcome),
          isNull(integrityReports.toldAt),
        ),
      );
  });
}

export async function warn(tx: Database, userId: UserId, caseId: string, nowMs: number): Promise<void> {
  await tx
    .insert(integrityWarnings)
    .values({ caseId, userId, createdAt: new Date(nowMs) })
    .onConflictDoNothing();
}

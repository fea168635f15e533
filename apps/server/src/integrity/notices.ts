import type { UserId } from '@engulf/domain/ids/entity-ids';
import { and, count, eq, isNull, lt, or, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { integrityReports, integrityWarnings } from '../platform/database/integrity.ts';
import type { Database } from '../platform/database/open-database.ts';
import { NOTHING_AFTER_MS } from './reports.ts';

/** What a player is told. Never a score, and of others only whether something was done. */
export type Notices = {
  /** Times of warnings that have not been read. */
  readonly warnings: readonly string[];
  readonly reports: { readonly waiting: number; readonly acted: number; readonly dismissed: number };
};

export async function readNotices(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  userId: UserId,
): Promise<Notices> {
  const warnings = await db
    .select({ at: integrityWarnings.createdAt })
    .from(integrityWarnings)
    .where(and(eq(integrityWarnings.userId, userId), isNull(integrityWarnings.seenAt)));
  const answer = sql<'acted' | 'dismissed' | 'waiting'>`case when ${isActedOn} then 'acted'
    when ${isOver(nowMs())} then 'dismissed' else 'waiting' end`;
  const answers = await db
    .select({ answer, count: count() })
    .from(integrityReports)
    .where(isUntold(userId))
    .groupBy(sql`1`);
  const countOf = (wanted: string) => answers.find((row) => row.answer === wanted)?.count ?? 0;
  return {
    warnings: warnings.map(({ at }) => at.toISOString()),
    reports: {
      waiting: countOf('waiting'),
      acted: countOf('acted'),
      dismissed: countOf('dismissed'),
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
      .where(and(isUntold(userId), or(isActedOn, isOver(now.getTime()))));
  });
}

const isActedOn = eq(integrityReports.outcome, 'acted');

/** Whether a case was dismissed or there was none says too much about what is looked for, so only its age answers it. */
function isOver(nowMs: number) {
  return lt(integrityReports.createdAt, new Date(nowMs - NOTHING_AFTER_MS));
}

function isUntold(reporter: UserId) {
  return and(eq(integrityReports.reporter, reporter), isNull(integrityReports.toldAt));
}

export async function warn(tx: Database, userId: UserId, caseId: string, nowMs: number): Promise<void> {
  await tx
    .insert(integrityWarnings)
    .values({ caseId, userId, createdAt: new Date(nowMs) })
    .onConflictDoNothing();
}

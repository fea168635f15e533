import type { MatchId, UserId } from '@engulf/domain/ids/entity-ids';
import { and, count, desc, eq, gt, isNotNull, isNull, lt, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import { integrityReports, type REPORT_REASONS } from '../platform/database/integrity.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';

/*
 * Players report players. A report opens no case and counts as no evidence: it only moves a case up in the operator's list,
 * so that many reports of one hand move nothing.
 */

const PER_DAY = 10;
const DAY_MS = 86_400_000;
/** By then a report that led to nothing is answered. Not sooner if a case was dismissed: it would tell that there was one. */
export const NOTHING_AFTER_MS = 14 * DAY_MS;

type Reported = 'accepted' | 'repeated' | 'tooMany' | 'notPlayed' | 'self';

/** Reports somebody by name. Without a match: of the one that the reporter entered last. */
export async function reportByName(
  context: Pick<Context, 'db' | 'nowMs'>,
  reporter: UserId,
  {
    matchId,
    player,
    reason,
  }: {
    readonly matchId: MatchId | null;
    readonly player: string;
    readonly reason: (typeof REPORT_REASONS)[number];
  },
): Promise<Reported> {
  const { db } = context;
  const [named] = await db
    .select({ id: users.id })
    .from(users)
    .where(sql`lower(${users.name}) = lower(${player})`);
  const [last] = await db
    .select({ matchId: entries.matchId })
    .from(entries)
    .where(and(eq(entries.userId, reporter), isNotNull(entries.matchId)))
    .orderBy(desc(entries.createdAt))
    .limit(1);
  const played = matchId ?? last?.matchId;
  if (!named || !played) return 'notPlayed';
  return reportPlayer(context, { matchId: played, reporter, reported: named.id, reason });
}

/** Both must have played in the match. */
async function reportPlayer(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  report: {
    readonly matchId: MatchId;
    readonly reporter: UserId;
    readonly reported: UserId;
    readonly reason: (typeof REPORT_REASONS)[number];
  },
): Promise<Reported> {
  if (report.reporter === report.reported) return 'self';
  const played = (userId: UserId) =>
    db
      .select({ id: entries.id })
      .from(entries)
      .where(and(eq(entries.matchId, report.matchId), eq(entries.userId, userId)))
      .limit(1);
  const [reporterPlayed, reportedPlayed] = await Promise.all([
    played(report.reporter),
    played(report.reported),
  ]);
  if (reporterPlayed.length === 0 || reportedPlayed.length === 0) return 'notPlayed';
  return db.transaction(async (tx) => {
    // Many at once must not each find the day's limit not reached yet.
    await tx.select({ id: users.id }).from(users).where(eq(users.id, report.reporter)).for('update');
    const [today] = await tx
      .select({ count: count() })
      .from(integrityReports)
      .where(
        and(
          eq(integrityReports.reporter, report.reporter),
          gt(integrityReports.createdAt, new Date(nowMs() - DAY_MS)),
        ),
      );
    if (today!.count >= PER_DAY) return 'tooMany';
    const stored = await tx
      .insert(integrityReports)
      .values({ ...report, createdAt: new Date(nowMs()) })
      .onConflictDoNothing()
      .returning({ reported: integrityReports.reported });
    return stored.length > 0 ? 'accepted' : 'repeated';
  });
}

/** A decision answers all open reports of somebody. */
export async function answerReports(
  tx: Database,
  reported: UserId,
  outcome: 'acted' | 'dismissed',
  decidedAt: Date,
): Promise<void> {
  await tx
    .update(integrityReports)
    .set({ outcome, decidedAt })
    .where(and(eq(integrityReports.reported, reported), isNull(integrityReports.outcome)));
}

/** Reports that led to nothing are answered, too. */
export async function closeOldReports({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Promise<void> {
  const before = new Date(nowMs() - NOTHING_AFTER_MS);
  await db
    .update(integrityReports)
    .set({ outcome: 'nothing found', decidedAt: new Date(nowMs()) })
    .where(and(isNull(integrityReports.outcome), lt(integrityReports.createdAt, before)));
}

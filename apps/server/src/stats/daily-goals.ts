import type { UserId } from '@engulf/domain/ids/entity-ids';
import { addToGoal, type GoalLife, goalAt } from '@engulf/domain/profile/daily-goal';
import type { GoalState } from '@engulf/protocol/http/dashboard';
import { and, count, eq, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { places, prepareOnce } from '../platform/database/prepare-once.ts';
import { dailyGoals } from '../platform/database/stats.ts';

/** Adds a life of a free lobby. In the transaction that ends its entry: a user has one live entry, so lives come one by one. */
export async function addToDailyGoal(
  tx: Database,
  userId: UserId,
  life: GoalLife,
  nowMs: number,
): Promise<void> {
  const { day, goal } = goalAt(nowMs);
  const before = await readProgress(tx, userId, day);
  const progress = addToGoal(goal, before, life);
  await writing(tx).execute({ userId, day, progress, isReached: progress >= goal.target });
}

const writing = prepareOnce((db) =>
  db
    .insert(dailyGoals)
    .values(places('userId', 'day', 'progress', 'isReached'))
    .onConflictDoUpdate({
      target: [dailyGoals.userId, dailyGoals.day],
      set: { progress: sql`excluded.progress`, isReached: sql`excluded.is_reached` },
    }),
);

export async function readDailyGoal(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  userId: UserId,
): Promise<GoalState> {
  const { day, goal } = goalAt(nowMs());
  const [progress, goalDays] = await Promise.all([
    readProgress(db, userId, day),
    countGoalDays({ db }, userId),
  ]);
  return { ...goal, progress, goalDays };
}

export async function countGoalDays({ db }: Pick<Context, 'db'>, userId: UserId): Promise<number> {
  const isReached = and(eq(dailyGoals.userId, userId), eq(dailyGoals.isReached, true));
  const [row] = await db.select({ count: count() }).from(dailyGoals).where(isReached);
  return row!.count;
}

async function readProgress(db: Database, userId: UserId, day: string): Promise<number> {
  const [row] = await finding(db).execute({ userId, day });
  return row?.progress ?? 0;
}

const finding = prepareOnce((db) => {
  const isOfDay = eq(dailyGoals.day, sql.placeholder('day'));
  return db
    .select()
    .from(dailyGoals)
    .where(and(eq(dailyGoals.userId, sql.placeholder('userId')), isOfDay));
});

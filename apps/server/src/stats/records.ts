import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { GoalState, PlayRecords } from '@engulf/protocol/http/dashboard';
import { and, eq, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { places, prepareOnce } from '../platform/database/prepare-once.ts';
import { playRecords } from '../platform/database/stats.ts';
import { readDailyGoal } from './daily-goals.ts';

/** As the room saw it. */
export type LivedLife = {
  readonly peakMassMilli: number;
  readonly seconds: number;
  readonly kills: number;
};

type EndedLife = {
  readonly userId: UserId;
  readonly isFree: boolean;
  readonly life: LivedLife;
  /** What came back for what was brought; 0 for who was eaten. */
  readonly payoutAmount: bigint;
  readonly basis: bigint;
};

/** Adds a life that just ended. In the transaction that ends its entry, so that it counts exactly once. */
export async function addToRecords(tx: Database, ended: EndedLife): Promise<void> {
  const { userId, isFree, life, payoutAmount, basis } = ended;
  const bestMultiple = basis > 0n ? Number((payoutAmount * 100n) / basis) : 0;
  await adding(tx).execute({
    userId,
    isFree,
    bestMassMilli: life.peakMassMilli,
    longestLifeSeconds: life.seconds,
    bestMultiple: Math.min(bestMultiple, MAX_INTEGER),
    kills: life.kills,
    bestStreak: life.kills,
  });
}

const adding = prepareOnce((db) => {
  const most = (column: keyof typeof playRecords.$inferSelect, name: string) =>
    sql`greatest(${playRecords[column]}, excluded.${sql.identifier(name)})`;
  return db
    .insert(playRecords)
    .values({
      ...places(
        'userId',
        'isFree',
        'bestMassMilli',
        'longestLifeSeconds',
        'bestMultiple',
        'kills',
        'bestStreak',
      ),
      lives: 1,
    })
    .onConflictDoUpdate({
      target: [playRecords.userId, playRecords.isFree],
      set: {
        lives: sql`${playRecords.lives} + 1`,
        bestMassMilli: most('bestMassMilli', 'best_mass_milli'),
        longestLifeSeconds: most('longestLifeSeconds', 'longest_life_seconds'),
        bestMultiple: most('bestMultiple', 'best_multiple'),
        kills: sql`${playRecords.kills} + excluded.kills`,
        bestStreak: most('bestStreak', 'best_streak'),
      },
    });
});

const MAX_INTEGER = 2_147_483_647;

/** Free play and play for money apart, and the goal of the day. */
export async function readRecords(
  context: Pick<Context, 'db' | 'nowMs'>,
  userId: UserId,
): Promise<{ readonly free: PlayRecords; readonly paid: PlayRecords; readonly goal: GoalState }> {
  const [free, paid, goal] = await Promise.all([
    readOne(context.db, userId, true),
    readOne(context.db, userId, false),
    readDailyGoal(context, userId),
  ]);
  return { free, paid, goal };
}

async function readOne(db: Database, userId: UserId, isFree: boolean): Promise<PlayRecords> {
  const [row] = await db
    .select()
    .from(playRecords)
    .where(and(eq(playRecords.userId, userId), eq(playRecords.isFree, isFree)));
  return {
    lives: row?.lives ?? 0,
    bestMass: Math.floor((row?.bestMassMilli ?? 0) / 1000),
    longestLifeSeconds: row?.longestLifeSeconds ?? 0,
    bestMultiple: (row?.bestMultiple ?? 0) / 100,
    kills: row?.kills ?? 0,
    bestStreak: row?.bestStreak ?? 0,
  };
}

import type { UserId } from '@engulf/domain/ids/entity-ids';
import { formatAmount, SOL } from '@engulf/domain/money/amount';
import type { LeaderboardPeriod, MenuLeaderboard } from '@engulf/protocol/menu/leaderboard';
import { LOWEST_RANK } from '@engulf/protocol/user';
import { and, desc, eq, gt, inArray, sql } from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import type { Context } from '../platform/context.ts';
import { users } from '../platform/database/people.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';
import { periodWinnings, playerTotals } from '../platform/database/stats.ts';

const ROWS = 50;

/** The players who cashed out most in SOL lobbies. */
export async function readLeaderboard(
  { db }: Pick<Context, 'db'>,
  { days }: LeaderboardPeriod,
): Promise<MenuLeaderboard> {
  const rows = await listWinners(db).execute({ days });
  return rows.map(({ userId, name, avatarUrl, amount }) => ({
    _id: userId,
    player: { avatarUrl, name },
    totalWinningAmount: amount.toString(),
    totalWinningText: formatAmount(amount, SOL),
  }));
}

const listWinners = prepareOnce((db) =>
  db
    .select({
      userId: users.id,
      name: users.name,
      avatarUrl: users.avatarUrl,
      amount: periodWinnings.amount,
    })
    .from(periodWinnings)
    .innerJoin(users, eq(users.id, periodWinnings.userId))
    .where(eq(periodWinnings.days, sql.placeholder('days')))
    .orderBy(desc(periodWinnings.amount), desc(periodWinnings.userId))
    .limit(ROWS),
);

/** The all-time ranks of those who have cashed out. Everyone below the listed ranks shares the next one. */
export async function readRanks(
  { db }: Pick<Context, 'db'>,
  userIds: readonly UserId[],
): Promise<Map<UserId, number>> {
  const own = alias(playerTotals, 'own');
  const better = db
    .select({ winnings: playerTotals.winnings })
    .from(playerTotals)
    .where(gt(playerTotals.winnings, own.winnings))
    .orderBy(desc(playerTotals.winnings))
    .limit(LOWEST_RANK);
  const rows = await db
    .select({ userId: own.userId, better: sql<string>`(select count(*) from (${better}) as better)` })
    .from(own)
    .where(and(inArray(own.userId, [...userIds]), gt(own.winnings, 0n)));
  return new Map(rows.map(({ userId, better }) => [userId, Number(better) + 1]));
}

import type { UserId } from '@engulf/domain/ids/entity-ids';
import { formatAmount, SOL } from '@engulf/domain/money/amount';
import type { LeaderboardPeriod, MenuLeaderboard } from '@engulf/protocol/menu/leaderboard';
import { and, desc, eq, gte, inArray, isNotNull, isNull, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries, lobbies } from '../platform/database/games.ts';
import { users } from '../platform/database/people.ts';

const ROWS = 50;
const DAY_MS = 24 * 60 * 60 * 1000;

/** Who cashed out most in SOL lobbies. */
export async function readLeaderboard(context: Context, period: LeaderboardPeriod): Promise<MenuLeaderboard> {
  const since = new Date(context.nowMs() - period.days * DAY_MS);
  const total = sql<string>`sum(${entries.payoutAmount})`;
  const rows = await context.db
    .select({
      userId: users.id,
      name: users.name,
      avatarUrl: users.avatarUrl,
      total: sql<string>`${total}::text`,
    })
    .from(entries)
    .innerJoin(users, eq(users.id, entries.userId))
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(and(IS_RANKED, gte(entries.endedAt, since)))
    .groupBy(users.id)
    .orderBy(desc(total), users.id)
    .limit(ROWS);
  return rows.map(({ userId, name, avatarUrl, total }) => ({
    _id: userId,
    player: { avatarUrl, name },
    totalWinningAmount: total,
    totalWinningText: formatAmount(BigInt(total), SOL),
  }));
}

/** The all-time rank of each of them who has cashed out. */
export async function readRanks({ db }: Context, userIds: readonly UserId[]): Promise<Map<UserId, number>> {
  const ranking = db
    .select({
      userId: entries.userId,
      rank: sql<string>`rank() over (order by sum(${entries.payoutAmount}) desc)`.as('rank'),
    })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(IS_RANKED)
    .groupBy(entries.userId)
    .as('ranking');
  const rows = await db
    .select()
    .from(ranking)
    .where(inArray(ranking.userId, [...userIds]));
  return new Map(rows.map(({ userId, rank }) => [userId, Number(rank)]));
}

/** SOL lobbies only: amounts of different tokens do not add up, and notional dollars are not winnings. */
const IS_RANKED = and(
  eq(entries.state, 'ended'),
  eq(entries.outcome, 'cashout'),
  isNotNull(lobbies.chainLobbyId),
  isNull(lobbies.tokenMint),
);

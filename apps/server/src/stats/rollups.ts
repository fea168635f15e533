import type { EntryId, UserId } from '@engulf/domain/ids/entity-ids';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import { and, asc, eq, inArray, isNotNull, isNull, lt, lte, type SQL, sql } from 'drizzle-orm';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, lobbies } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { places, prepareOnce } from '../platform/database/prepare-once.ts';
import { periodCursors, periodWinnings, playerTotals } from '../platform/database/stats.ts';
import { together } from '../platform/database/together.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
/** Entries that leave a period in one transaction. */
const STEP_ROWS = 500;
const FIRST_ENTRY = '00000000-0000-0000-0000-000000000000' as EntryId;

type EndedEntry = Pick<EntryRow, 'userId' | 'entryFee'> & {
  readonly outcome: string;
  readonly payoutAmount: bigint;
};

/** Adds an entry that just ended. In the transaction that ends it, so that it counts exactly once. */
export async function addToRollups(tx: Database, lobby: LobbyRow, entry: EndedEntry): Promise<void> {
  if (lobby.chainLobbyId === null || lobby.tokenMint !== null) return;
  const winnings = entry.outcome === 'cashout' ? entry.payoutAmount : 0n;
  const isWin = winnings > entry.entryFee;
  const { userId, entryFee: deposited } = entry;
  const wins = isWin ? 1 : 0;
  const totals = addingTotals(tx).execute({
    userId,
    wins,
    winStreak: wins,
    deposited,
    winnings,
    biggestWin: winnings,
  });
  const periods = winnings > 0n && addingPeriods(tx).execute({ userId, amount: winnings });
  await together([totals, periods]);
}

const addingTotals = prepareOnce((db) =>
  db
    .insert(playerTotals)
    .values({ ...places('userId', 'wins', 'winStreak', 'deposited', 'winnings', 'biggestWin'), games: 1 })
    .onConflictDoUpdate({
      target: playerTotals.userId,
      set: {
        games: sql`${playerTotals.games} + 1`,
        wins: sql`${playerTotals.wins} + excluded.wins`,
        winStreak: sql`case when excluded.wins = 1 then ${playerTotals.winStreak} + 1 else 0 end`,
        deposited: sql`${playerTotals.deposited} + excluded.deposited`,
        winnings: sql`${playerTotals.winnings} + excluded.winnings`,
        biggestWin: sql`greatest(${playerTotals.biggestWin}, excluded.biggest_win)`,
      },
    }),
);

const addingPeriods = prepareOnce((db) =>
  db
    .insert(periodWinnings)
    .values(LEADERBOARD_PERIODS.map(({ days }) => ({ days, ...places('userId', 'amount') })))
    .onConflictDoUpdate({
      target: [periodWinnings.days, periodWinnings.userId],
      set: { amount: sql`${periodWinnings.amount} + excluded.amount` },
    }),
);

/** The periods with entries that are too old for them by now. */
export async function periodsToTrim(context: Pick<Context, 'db' | 'nowMs'>): Promise<number[]> {
  const cursors = await context.db.select().from(periodCursors);
  const due = await Promise.all(
    cursors.map(async (cursor) =>
      (await oldestIn(context.db, context, cursor, 1)).length > 0 ? cursor.days : [],
    ),
  );
  return due.flat();
}

/** Takes entries out of a period that are too old for it. Several workers do not count one twice. */
export async function trimPeriod(context: Pick<Context, 'db' | 'nowMs'>, days: number): Promise<void> {
  await context.db.transaction(async (tx) => {
    const [cursor] = await tx.select().from(periodCursors).where(eq(periodCursors.days, days)).for('update');
    if (!cursor) return;
    const leaving = await oldestIn(tx, context, cursor, STEP_ROWS);
    const last = leaving.at(-1);
    if (!last) return;
    for (const [userId, amount] of sumByUser(leaving)) {
      await tx
        .update(periodWinnings)
        .set({ amount: sql`${periodWinnings.amount} - ${amount.toString()}` })
        .where(and(eq(periodWinnings.days, days), eq(periodWinnings.userId, userId)));
    }
    const users = [...new Set(leaving.map(({ userId }) => userId))];
    await tx
      .delete(periodWinnings)
      .where(
        and(
          eq(periodWinnings.days, days),
          inArray(periodWinnings.userId, users),
          lte(periodWinnings.amount, 0n),
        ),
      );
    await tx
      .update(periodCursors)
      .set({ endedAt: last.endedAt!, entryId: last.id })
      .where(eq(periodCursors.days, days));
  });
}

/** Rebuilds all sums. Settlements wait in the meantime, so it is for the first start and for repairs only. */
export async function rebuildRollups(context: Pick<Context, 'db' | 'nowMs'>): Promise<void> {
  await context.db.transaction(async (tx) => {
    await tx.execute(sql`lock table ${playerTotals}, ${periodWinnings}, ${periodCursors} in exclusive mode`);
    await tx.delete(periodCursors);
    await tx.delete(periodWinnings);
    await tx.delete(playerTotals);
    const won = sql`case when ${entries.outcome} = 'cashout' then ${entries.payoutAmount} else 0 end`;
    const isWin = sql`(${won}) > ${entries.entryFee}`;
    // The games since the last one that was not won.
    await tx.execute(sql`
      insert into ${playerTotals} (user_id, games, wins, win_streak, deposited, winnings, biggest_win)
      select user_id, count(*), count(*) filter (where is_win), count(*) filter (where losses_after = 0 and is_win),
        sum(entry_fee), sum(won), max(won)
      from (
        select ${entries.userId} as user_id, ${entries.entryFee} as entry_fee, ${won} as won, ${isWin} as is_win,
          count(*) filter (where not ${isWin}) over (
            partition by ${entries.userId} order by ${entries.endedAt} desc, ${entries.id} desc
          ) as losses_after
        from ${entries} inner join ${lobbies} on ${lobbies.id} = ${entries.lobbyId}
        where ${IS_COUNTED}
      ) games group by user_id`);
    for (const { days } of LEADERBOARD_PERIODS) {
      const since = new Date(context.nowMs() - days * DAY_MS);
      await tx.insert(periodCursors).values({ days, endedAt: since, entryId: FIRST_ENTRY });
      await tx.execute(sql`
        insert into ${periodWinnings} (days, user_id, amount)
        select ${days}, ${entries.userId}, sum(${entries.payoutAmount})
        from ${entries} inner join ${lobbies} on ${lobbies.id} = ${entries.lobbyId}
        where ${IS_CASHED_OUT} and ${entries.endedAt} >= ${since.toISOString()}::timestamptz
        group by ${entries.userId}`);
    }
  });
}

/** For a database that is new or older than these tables. */
export async function ensureRollups(context: Pick<Context, 'db' | 'nowMs'>): Promise<void> {
  const known = await context.db.select().from(periodCursors);
  if (known.length < LEADERBOARD_PERIODS.length) await rebuildRollups(context);
}

const IS_COUNTED = and(
  eq(entries.state, 'ended'),
  isNotNull(lobbies.chainLobbyId),
  isNull(lobbies.tokenMint),
) as SQL;

const IS_CASHED_OUT = and(
  IS_COUNTED,
  eq(entries.outcome, 'cashout'),
  sql`${entries.payoutAmount} > 0`,
) as SQL;

async function oldestIn(
  tx: Database,
  { nowMs }: Pick<Context, 'nowMs'>,
  { days, endedAt, entryId }: typeof periodCursors.$inferSelect,
  limit: number,
) {
  return tx
    .select({
      id: entries.id,
      userId: entries.userId,
      endedAt: entries.endedAt,
      amount: entries.payoutAmount,
    })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(
      and(
        IS_CASHED_OUT,
        lt(entries.endedAt, new Date(nowMs() - days * DAY_MS)),
        sql`(${entries.endedAt}, ${entries.id}) > (${endedAt.toISOString()}::timestamptz, ${entryId}::uuid)`,
      ),
    )
    .orderBy(asc(entries.endedAt), asc(entries.id))
    .limit(limit);
}

function sumByUser(rows: readonly { userId: UserId; amount: bigint | null }[]): [UserId, bigint][] {
  const sums = new Map<UserId, bigint>();
  for (const { userId, amount } of rows) sums.set(userId, (sums.get(userId) ?? 0n) + amount!);
  // Always in the same order, so that transactions cannot deadlock.
  return [...sums].sort(([a], [b]) => (a < b ? -1 : 1));
}

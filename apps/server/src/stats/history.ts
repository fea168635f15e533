import type { EntryId, UserId } from '@engulf/domain/ids/entity-ids';
import { formatAmount, formatExactAmount, formatUsd } from '@engulf/domain/money/amount';
import type { ActivityRow, GameHistoryRow } from '@engulf/protocol/http/dashboard';
import { and, count, desc, eq, inArray, sql } from 'drizzle-orm';
import { unionAll } from 'drizzle-orm/pg-core';
import { isPaid, type LobbyRow, tokenOf } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, lobbies } from '../platform/database/games.ts';
import { type PayoutRow, payoutBatches, payouts } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';

const PAGE_ROWS = 20;

/** Nobody reads further back, and the database would have to skip all that is newer. */
const MAX_ACTIVITY_PAGES = 50;

/** How the latest games of all players ended, newest first; those of free lobbies as play money. */
export async function readActivity({ db }: Pick<Context, 'db'>, page: number) {
  const isFinished = eq(entries.state, 'ended');
  const latest = db
    .select({ id: entries.id })
    .from(entries)
    .where(isFinished)
    .orderBy(desc(entries.endedAt))
    .limit(MAX_ACTIVITY_PAGES * PAGE_ROWS)
    .as('latest');
  const [total] = await db.select({ count: count() }).from(latest);
  if (page > MAX_ACTIVITY_PAGES) return pageAnswer([], page, total!.count);
  const rows = await db
    .select({ entry: entries, lobby: lobbies, name: users.name })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .innerJoin(users, eq(users.id, entries.userId))
    .where(isFinished)
    .orderBy(desc(entries.endedAt), desc(entries.id))
    .limit(PAGE_ROWS)
    .offset(offsetOf(page));
  return pageAnswer(
    rows.map(
      ({ entry, lobby, name }): ActivityRow => ({
        _id: entry.id,
        matchId: entry.matchId,
        playerId: { name },
        lobbyName: lobby.name,
        // Only an entry that never played is unclaimed, and that one is not `ended`.
        finalStatus: entry.outcome as ActivityRow['finalStatus'],
        ...moneyOf(entry.payoutAmount!, lobby),
        createdAt: entry.endedAt!.toISOString(),
      }),
    ),
    page,
    total!.count,
  );
}

/** The user's payouts and free games, newest first. */
export async function readGamesHistory({ db }: Pick<Context, 'db'>, userId: UserId, page: number) {
  const isOwnFree = and(eq(entries.userId, userId), eq(entries.state, 'ended'), eq(entries.entryFee, 0n));
  const [[paidCount], [freeCount], listed] = await Promise.all([
    db.select({ count: count() }).from(payouts).where(eq(payouts.userId, userId)),
    db.select({ count: count() }).from(entries).where(isOwnFree),
    unionAll(
      db
        .select({
          id: sql<string>`${payouts.id}::text`.as('id'),
          at: sql<Date>`${payouts.createdAt}`.as('at'),
        })
        .from(payouts)
        .where(eq(payouts.userId, userId)),
      db
        .select({ id: sql<string>`${entries.id}::text`.as('id'), at: sql<Date>`${entries.endedAt}`.as('at') })
        .from(entries)
        .where(isOwnFree),
    )
      .orderBy(sql`at desc`, sql`id desc`)
      .limit(PAGE_ROWS)
      .offset(offsetOf(page)),
  ]);
  const ids = listed.map(({ id }) => id);
  const rows = [...(await readPayouts(db, ids)), ...(await readFreeGames(db, ids))];
  const byId = new Map(rows.map((row) => [row._id, row]));
  return pageAnswer(
    ids.map((id) => byId.get(id)!),
    page,
    paidCount!.count + freeCount!.count,
  );
}

async function readPayouts(db: Database, ids: readonly string[]): Promise<GameHistoryRow[]> {
  const rows = await db
    .select({ payout: payouts, lobby: lobbies, batch: payoutBatches, entry: entries })
    .from(payouts)
    .innerJoin(lobbies, eq(lobbies.id, payouts.lobbyId))
    .leftJoin(entries, eq(entries.id, payouts.entryId))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(inArray(payouts.id, ids as PayoutRow['id'][]));
  return rows.map(
    ({ payout, lobby, batch, entry }): GameHistoryRow => ({
      _id: payout.id,
      gameId: payout.entryId ?? payout.id,
      matchId: entry?.matchId ?? null,
      createdAt: payout.createdAt.toISOString(),
      isRefund: payout.isRefund,
      finalStatus: finalStatusOf(entry),
      ...moneyOf(payout.amount, lobby),
      usdText: entry?.usdValue == null ? null : formatUsd(entry.usdValue),
      status: payout.status,
      waitsFor: waitsFor(payout, lobby),
      txnHash: payout.status === 'completed' ? batch!.signature : null,
    }),
  );
}

async function readFreeGames(db: Database, ids: readonly string[]): Promise<GameHistoryRow[]> {
  const rows = await db
    .select({ entry: entries, lobby: lobbies })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(inArray(entries.id, ids as EntryId[]));
  return rows.map(
    ({ entry, lobby }): GameHistoryRow => ({
      _id: entry.id,
      gameId: entry.id,
      matchId: entry.matchId,
      createdAt: entry.endedAt!.toISOString(),
      isRefund: entry.outcome !== 'cashout',
      finalStatus: finalStatusOf(entry),
      ...moneyOf(entry.payoutAmount!, lobby),
      usdText: null,
      status: 'completed',
      waitsFor: null,
      txnHash: null,
    }),
  );
}

function finalStatusOf(entry: EntryRow | null): GameHistoryRow['finalStatus'] {
  return entry === null || entry.outcome === 'unclaimed' ? null : entry.outcome;
}

/** Play money is dollars, of which people expect two decimals. */
function moneyOf(amount: bigint, lobby: LobbyRow) {
  const token = tokenOf(lobby);
  const isPlayMoney = !isPaid(lobby);
  const amountText = isPlayMoney ? formatAmount(amount, token) : formatExactAmount(amount, token);
  return { amount: amount.toString(), amountText, tokenSymbol: token.symbol, isPlayMoney };
}

function waitsFor(payout: PayoutRow, { tokenMint }: LobbyRow): GameHistoryRow['waitsFor'] {
  if (payout.status !== 'pending') return null;
  const isDelayed = payout.failedAttempts === 0 && payout.notBefore !== null && !payout.waitsForWallet;
  const waitsLongMs = isDelayed ? payout.notBefore!.getTime() - payout.createdAt.getTime() : 0;
  if (payout.heldAt || waitsLongMs > REVIEW_FROM_MS) return 'review';
  if (!payout.waitsForWallet) return null;
  return tokenMint === null ? 'balance' : 'tokenAccount';
}

/** Retries come sooner. */
const REVIEW_FROM_MS = 30 * 60_000;

const offsetOf = (page: number): number => (page - 1) * PAGE_ROWS;

function pageAnswer<Row>(rows: Row[], page: number, total: number) {
  const lastPage = Math.max(1, Math.ceil(total / PAGE_ROWS));
  return { status: 'success' as const, data: { data: rows, currentPage: page, lastPage } };
}

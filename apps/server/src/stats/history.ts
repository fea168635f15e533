import type { UserId } from '@engulf/domain/ids/entity-ids';
import { formatExactAmount, formatUsd } from '@engulf/domain/money/amount';
import type { ActivityRow, GameHistoryRow } from '@engulf/protocol/http/dashboard';
import { and, count, desc, eq, gt } from 'drizzle-orm';
import { type LobbyRow, tokenOf } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies } from '../platform/database/games.ts';
import { type PayoutRow, payoutBatches, payouts } from '../platform/database/money.ts';
import { users } from '../platform/database/people.ts';

const PAGE_ROWS = 20;

/** Nobody reads further back, and the database would have to skip all that is newer. */
const MAX_ACTIVITY_PAGES = 50;

/** How the latest paid games of all players ended, newest first. */
export async function readActivity({ db }: Context, page: number) {
  // An entry that was paid for has a fee; the index on finished games relies on that.
  const isFinished = and(eq(entries.state, 'ended'), gt(entries.entryFee, 0n));
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
        // Only an entry that never played is unclaimed, and that one is not `ended`.
        finalStatus: entry.outcome as ActivityRow['finalStatus'],
        amount: entry.payoutAmount!.toString(),
        amountText: formatExactAmount(entry.payoutAmount!, tokenOf(lobby)),
        tokenSymbol: lobby.tokenSymbol,
        createdAt: entry.endedAt!.toISOString(),
      }),
    ),
    page,
    total!.count,
  );
}

/** The user's payouts, newest first. */
export async function readGamesHistory({ db }: Context, userId: UserId, page: number) {
  const rows = await db
    .select({ payout: payouts, lobby: lobbies, batch: payoutBatches, entry: entries })
    .from(payouts)
    .innerJoin(lobbies, eq(lobbies.id, payouts.lobbyId))
    .leftJoin(entries, eq(entries.id, payouts.entryId))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(eq(payouts.userId, userId))
    .orderBy(desc(payouts.createdAt), desc(payouts.id))
    .limit(PAGE_ROWS)
    .offset(offsetOf(page));
  const [total] = await db.select({ count: count() }).from(payouts).where(eq(payouts.userId, userId));
  return pageAnswer(
    rows.map(
      ({ payout, lobby, batch, entry }): GameHistoryRow => ({
        _id: payout.id,
        gameId: payout.entryId ?? payout.id,
        matchId: entry?.matchId ?? null,
        createdAt: payout.createdAt.toISOString(),
        isRefund: payout.isRefund,
        amount: payout.amount.toString(),
        amountText: formatExactAmount(payout.amount, tokenOf(lobby)),
        tokenSymbol: lobby.tokenSymbol,
        usdText: entry?.usdValue == null ? null : formatUsd(entry.usdValue),
        status: payout.status,
        waitsFor: waitsFor(payout, lobby),
        txnHash: payout.status === 'completed' ? batch!.signature : null,
      }),
    ),
    page,
    total!.count,
  );
}

function waitsFor(payout: PayoutRow, { tokenMint }: LobbyRow): GameHistoryRow['waitsFor'] {
  if (payout.status !== 'pending' || !payout.waitsForWallet) return null;
  return tokenMint === null ? 'balance' : 'tokenAccount';
}

const offsetOf = (page: number): number => (page - 1) * PAGE_ROWS;

function pageAnswer<Row>(rows: Row[], page: number, total: number) {
  const lastPage = Math.max(1, Math.ceil(total / PAGE_ROWS));
  return { status: 'success' as const, data: { data: rows, currentPage: page, lastPage } };
}

import type { UserId } from '@engulf/domain/ids/entity-ids';
import { formatExactAmount } from '@engulf/domain/money/amount';
import type { GameHistoryRow } from '@engulf/protocol/http/dashboard';
import { count, desc, eq } from 'drizzle-orm';
import { tokenOf } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { lobbies } from '../platform/database/games.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';
import { offsetOf, PAGE_ROWS, pageAnswer } from './pages.ts';

/** The user's payouts, newest first. */
export async function readGamesHistory({ db }: Context, userId: UserId, page: number) {
  const rows = await db
    .select({ payout: payouts, lobby: lobbies, batch: payoutBatches })
    .from(payouts)
    .innerJoin(lobbies, eq(lobbies.id, payouts.lobbyId))
    .leftJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(eq(payouts.userId, userId))
    .orderBy(desc(payouts.createdAt), desc(payouts.id))
    .limit(PAGE_ROWS)
    .offset(offsetOf(page));
  const [total] = await db.select({ count: count() }).from(payouts).where(eq(payouts.userId, userId));
  return pageAnswer(
    rows.map(
      ({ payout, lobby, batch }): GameHistoryRow => ({
        _id: payout.id,
        gameId: payout.entryId ?? payout.id,
        createdAt: payout.createdAt.toISOString(),
        isRefund: payout.isRefund,
        amount: payout.amount.toString(),
        amountText: formatExactAmount(payout.amount, tokenOf(lobby)),
        tokenSymbol: lobby.tokenSymbol,
        status: payout.status,
        txnHash: payout.status === 'completed' ? batch!.signature : null,
      }),
    ),
    page,
    total!.count,
  );
}

import type { UserId } from '@engulf/domain/ids/entity-ids';
import { type Deposit, LIMIT_WINDOW_MS } from '@engulf/domain/limits/deposit-limit';
import { type Currency, currencyOf } from '@engulf/domain/money/currency';
import { and, eq, gt, isNotNull, notInArray, or } from 'drizzle-orm';
import { entries, GIVEN_UP_STATES, lobbies } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';

/**
 * What a user paid into paid lobbies in the last 24 hours, by currency. A seat that is held counts from the start,
 * because it can still be paid for; it is forgotten if it never was.
 */
export async function readDeposits(
  db: Database,
  userId: UserId,
  nowMs: number,
): Promise<ReadonlyMap<Currency, readonly Deposit[]>> {
  const isPaidOrMayBe = or(
    notInArray(entries.state, GIVEN_UP_STATES),
    // Paid for, but the ticket was never used.
    and(eq(entries.state, 'expired'), isNotNull(entries.outcome)),
  );
  const rows = await db
    .select({ amount: entries.entryFee, at: entries.createdAt, tokenMint: lobbies.tokenMint })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(
      and(
        eq(entries.userId, userId),
        gt(entries.createdAt, new Date(nowMs - LIMIT_WINDOW_MS)),
        isNotNull(lobbies.chainLobbyId),
        isPaidOrMayBe,
      ),
    );
  const groups = Map.groupBy(rows, ({ tokenMint }) => currencyOf(tokenMint));
  return new Map(
    [...groups].map(([currency, group]) => [
      currency,
      group.map(({ amount, at }) => ({ amount, atMs: at.getTime() })),
    ]),
  );
}

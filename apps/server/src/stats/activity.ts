import { formatExactAmount } from '@engulf/domain/money/amount';
import type { ActivityRow } from '@engulf/protocol/http/dashboard';
import { and, count, desc, eq, isNotNull } from 'drizzle-orm';
import { tokenOf } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries, lobbies } from '../platform/database/games.ts';
import { users } from '../platform/database/people.ts';
import { offsetOf, PAGE_ROWS, pageAnswer } from './pages.ts';

/** How everybody's paid games ended, newest first. */
export async function readActivity({ db }: Context, page: number) {
  const isFinished = and(eq(entries.state, 'ended'), isNotNull(lobbies.chainLobbyId));
  const rows = await db
    .select({ entry: entries, lobby: lobbies, name: users.name })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .innerJoin(users, eq(users.id, entries.userId))
    .where(isFinished)
    .orderBy(desc(entries.endedAt), desc(entries.id))
    .limit(PAGE_ROWS)
    .offset(offsetOf(page));
  const [total] = await db
    .select({ count: count() })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(isFinished);
  return pageAnswer(
    rows.map(
      ({ entry, lobby, name }): ActivityRow => ({
        _id: entry.id,
        playerId: { name },
        // Only an entry that never played ends unclaimed, and that one is not `ended`.
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

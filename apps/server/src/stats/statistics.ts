import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { Statistics } from '@engulf/protocol/http/dashboard';
import { and, asc, eq, isNotNull, isNull } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { entries, lobbies } from '../platform/database/games.ts';

type Game = {
  readonly entryFee: bigint;
  readonly outcome: string | null;
  readonly payoutAmount: bigint | null;
};

/** Statistics of the user's finished games in SOL lobbies. */
export async function readStatistics({ db }: Context, userId: UserId): Promise<Statistics> {
  const games = await db
    .select({ entryFee: entries.entryFee, outcome: entries.outcome, payoutAmount: entries.payoutAmount })
    .from(entries)
    .innerJoin(lobbies, eq(lobbies.id, entries.lobbyId))
    .where(
      and(
        eq(entries.userId, userId),
        eq(entries.state, 'ended'),
        isNotNull(lobbies.chainLobbyId),
        isNull(lobbies.tokenMint),
      ),
    )
    .orderBy(asc(entries.endedAt));
  return summarise(games);
}

/** Games from oldest to newest. */
export function summarise(games: readonly Game[]): Statistics {
  const won = games
    .filter(({ outcome }) => outcome === 'cashout')
    .map(({ payoutAmount }) => payoutAmount ?? 0n);
  const firstLossFromEnd = games.toReversed().findIndex((game) => !isWin(game));
  return {
    depositedAmount: games.reduce((sum, { entryFee }) => sum + entryFee, 0n).toString(),
    winningAmount: won.reduce((sum, amount) => sum + amount, 0n).toString(),
    biggestWin: won.reduce((most, amount) => (amount > most ? amount : most), 0n).toString(),
    gamesPlayed: games.length,
    winrate: games.length === 0 ? 0 : Math.round((games.filter(isWin).length * 10_000) / games.length) / 100,
    winStreak: firstLossFromEnd === -1 ? games.length : firstLossFromEnd,
  };
}

/** Cashed out more than the entry cost. */
function isWin({ entryFee, outcome, payoutAmount }: Game): boolean {
  return outcome === 'cashout' && (payoutAmount ?? 0n) > entryFee;
}

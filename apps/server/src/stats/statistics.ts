import type { UserId } from '@engulf/domain/ids/entity-ids';
import type { Statistics } from '@engulf/protocol/http/dashboard';
import { eq } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { playerTotals } from '../platform/database/stats.ts';

/** Statistics of the user's finished games in SOL lobbies. */
export async function readStatistics({ db }: Pick<Context, 'db'>, userId: UserId): Promise<Statistics> {
  const [totals] = await db.select().from(playerTotals).where(eq(playerTotals.userId, userId));
  const { games, wins, winStreak, deposited, winnings, biggestWin } = totals ?? NEVER_PLAYED;
  return {
    depositedAmount: deposited.toString(),
    winningAmount: winnings.toString(),
    biggestWin: biggestWin.toString(),
    gamesPlayed: games,
    winrate: games === 0 ? 0 : Math.round((wins * 10_000) / games) / 100,
    winStreak,
  };
}

const NEVER_PLAYED = { games: 0, wins: 0, winStreak: 0, deposited: 0n, winnings: 0n, biggestWin: 0n };

import type { Lobby, LobbyUpdate } from '@engulf/protocol/lobby';
import {
  LEADERBOARD_PERIODS,
  type LeaderboardPeriod,
  type MenuLeaderboard,
} from '@engulf/protocol/menu/leaderboard';
import { describeLobbies, describeUpdates } from '../lobbies/describe-lobbies.ts';
import { listLobbies } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { readLeaderboard } from '../stats/leaderboard.ts';

/**
 * What the menu shows, read by one timer. Every question is answered from here: a query per question would let
 * visitors fill the database's queue, and everybody's payments wait in the same one.
 */
export type MenuCopy = {
  lobbies(): Lobby[];
  /** One for every lobby with a running room. */
  updates(): readonly LobbyUpdate[];
  leaderboard(period: LeaderboardPeriod): MenuLeaderboard;
  close(): void;
};

const REFRESH_MS = 1_000;
/** Leaderboards cover days, and reading them costs more than the rest. */
const LEADERBOARDS_EVERY = 10;

type Content = {
  readonly lobbies: Lobby[];
  readonly updates: readonly LobbyUpdate[];
  readonly leaderboards: ReadonlyMap<LeaderboardPeriod['event'], MenuLeaderboard>;
};

export async function openMenuCopy(context: Context): Promise<MenuCopy> {
  let content = await readContent(context, undefined);
  let refreshes = 0;
  let isReading = false;
  let isClosed = false;
  const refresh = async () => {
    // A slow database is asked again only once it has answered.
    if (isReading) return;
    isReading = true;
    try {
      refreshes++;
      content = await readContent(context, refreshes % LEADERBOARDS_EVERY === 0 ? undefined : content);
    } catch (error) {
      // The database may be closed before the last read is through.
      if (isClosed) return;
      context.logger.error({ err: error }, 'the menu could not be refreshed and shows what it had');
    } finally {
      isReading = false;
    }
  };
  const timer = setInterval(refresh, REFRESH_MS);
  return {
    lobbies: () => content.lobbies,
    updates: () => content.updates,
    leaderboard: ({ event }) => content.leaderboards.get(event)!,
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

/** Keeps the leaderboards of `previous` if there is one. */
async function readContent(context: Context, previous: Content | undefined): Promise<Content> {
  const rows = await listLobbies(context.db);
  return {
    lobbies: await describeLobbies(context, rows),
    updates: await describeUpdates(context, rows),
    leaderboards: previous?.leaderboards ?? (await readLeaderboards(context)),
  };
}

async function readLeaderboards(context: Context): Promise<Content['leaderboards']> {
  const boards: [LeaderboardPeriod['event'], MenuLeaderboard][] = [];
  for (const period of LEADERBOARD_PERIODS)
    boards.push([period.event, await readLeaderboard(context, period)]);
  return new Map(boards);
}

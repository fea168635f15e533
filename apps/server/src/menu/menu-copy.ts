import { setTimeout as sleep } from 'node:timers/promises';
import { isDeepStrictEqual } from 'node:util';
import { parseSeats } from '@engulf/domain/lobby/lobby-type';
import type { Lobby, LobbyUpdate } from '@engulf/protocol/lobby';
import {
  LEADERBOARD_PERIODS,
  type LeaderboardPeriod,
  type MenuLeaderboard,
} from '@engulf/protocol/menu/leaderboard';
import { type Gatherer, listGatherers } from '../gathering/gatherers.ts';
import { describeLobbies, describeUpdates } from '../lobbies/describe-lobbies.ts';
import { readPlaces } from '../lobbies/lease.ts';
import { listLobbies } from '../lobbies/lobby-rows.ts';
import type { Activity } from '../platform/activity.ts';
import type { Context } from '../platform/context.ts';
import { readLeaderboard } from '../stats/leaderboard.ts';

/**
 * What the menu shows, refreshed by one timer. All requests are answered from this copy: with a query per request,
 * visitors could fill the database's queue, in which payments wait as well.
 */
export type MenuCopy = {
  /** Resolves when the copy is fresh: at once, except for the first visitor after a pause. */
  fresh(): Promise<void>;
  lobbies(): Lobby[];
  /** The list of the last time that something other than a live figure changed in it. */
  announced(): Lobby[];
  /** One for every lobby with a running room. */
  updates(): readonly LobbyUpdate[];
  /** Everybody who waits for others. */
  gatherers(): readonly Gatherer[];
  /** The same object as long as nothing in it changes. */
  leaderboard(period: LeaderboardPeriod): MenuLeaderboard;
  close(): void;
};

const REFRESH_MS = 1_000;
/** While nobody is connected, every thirtieth refresh is enough. */
const IDLE_REFRESHES = 30;
const OLD_AFTER_MS = 2_500;
/** After this, an old copy is better than none. */
const WAIT_MS = 1_000;

type Content = {
  readonly lobbies: Lobby[];
  readonly announced: Lobby[];
  readonly updates: readonly LobbyUpdate[];
  readonly gatherers: readonly Gatherer[];
  readonly leaderboards: ReadonlyMap<LeaderboardPeriod['event'], MenuLeaderboard>;
};

export async function openMenuCopy(
  context: Pick<Context, 'db' | 'presence' | 'logger' | 'nowMs'>,
  activity: Activity,
): Promise<MenuCopy> {
  let content = await readContent(context, undefined);
  let readAtMs = performance.now();
  let reading: Promise<void> | undefined;
  let isClosed = false;
  const read = async () => {
    try {
      content = await readContent(context, content);
      readAtMs = performance.now();
    } catch (error) {
      // The database may be closed before the last read is done.
      if (isClosed) return;
      context.logger.error(
        { code: 'MENU_NOT_READ', err: error },
        'the menu could not be refreshed and shows what it had',
      );
    } finally {
      reading = undefined;
    }
  };
  // A slow database is asked again only once it has answered.
  const refresh = () => {
    reading ??= read();
    return reading;
  };
  let turns = 0;
  const timer = setInterval(() => {
    if (!activity.isIdle() || turns++ % IDLE_REFRESHES === 0) void refresh();
  }, REFRESH_MS);
  activity.onBusy(() => void refresh());
  return {
    fresh: async () => {
      if (performance.now() - readAtMs > OLD_AFTER_MS) await Promise.race([refresh(), sleep(WAIT_MS)]);
    },
    lobbies: () => content.lobbies,
    announced: () => content.announced,
    updates: () => content.updates,
    gatherers: () => content.gatherers,
    leaderboard: ({ event }) => content.leaderboards.get(event)!,
    close: () => {
      isClosed = true;
      clearInterval(timer);
    },
  };
}

async function readContent(
  context: Pick<Context, 'db' | 'presence' | 'nowMs'>,
  previous: Content | undefined,
): Promise<Content> {
  const rows = await listLobbies(context.db);
  const places = await readPlaces(context);
  const gatherers = await listGatherers(context.db, context.nowMs());
  const lobbies = await describeLobbies(context, rows, places);
  const isKnown = previous && isDeepStrictEqual(lobbies.map(offerOf), previous.announced.map(offerOf));
  return {
    lobbies,
    announced: isKnown ? previous.announced : lobbies,
    updates: (await describeUpdates(context, rows, places)).map(withGathering(gatherers)),
    gatherers,
    leaderboards: await readLeaderboards(context, previous?.leaderboards),
  };
}

/** What operators decide about a lobby, without what changes by playing. */
function offerOf({
  players,
  currentPlayers,
  currentBots,
  pool,
  TVL,
  poolAmount,
  isActive,
  lastUpdate,
  baseGame,
  ...offer
}: Lobby) {
  return { ...offer, seats: parseSeats(players).max };
}

/** More faces than these have no place in a menu. */
const SHOWN_GATHERERS = 6;

function withGathering(gatherers: readonly Gatherer[]): (update: LobbyUpdate) => LobbyUpdate {
  return (update) => {
    const here = gatherers.filter(({ lobbyId }) => lobbyId === update.lobbyId);
    if (here.length === 0) return update;
    const people = here.slice(0, SHOWN_GATHERERS).map(({ name, avatarUrl }) => ({ name, avatarUrl }));
    const isCalled = here.some(({ state }) => state === 'called');
    return { ...update, gathering: { count: here.length, people, isCalled } };
  };
}

async function readLeaderboards(
  context: Pick<Context, 'db'>,
  previous: Content['leaderboards'] | undefined,
): Promise<Content['leaderboards']> {
  const boards: [LeaderboardPeriod['event'], MenuLeaderboard][] = [];
  for (const period of LEADERBOARD_PERIODS) {
    const before = previous?.get(period.event);
    const now = await readLeaderboard(context, period);
    boards.push([period.event, before && isDeepStrictEqual(before, now) ? before : now]);
  }
  return new Map(boards);
}

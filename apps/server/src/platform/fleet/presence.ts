import { type EntryId, entryId, type LobbyId, lobbyId } from '@engulf/domain/ids/entity-ids';
import { isLobbySilent } from '@engulf/domain/lobby/lobby-type';
import type { Logger } from 'pino';
import { z } from 'zod';
import type { Bus, Topic } from './bus.ts';

/** What a running room reports. */
export type LiveRoom = {
  /** People. */
  readonly totalPlayers: number;
  readonly totalBots: number;
  /** Bounties and spill in the room, in base units. */
  readonly poolTotal: bigint;
  /** People who have a place in the match, but no connection to it. */
  readonly disconnected?: readonly EntryId[] | undefined;
  /** Those of them who were thrown out and cannot return. */
  readonly expelled?: readonly EntryId[] | undefined;
  /** The largest cells of an arena that menus show. */
  readonly sketch?: readonly number[] | undefined;
  readonly lastUpdateMs: number;
};

type Figures = Omit<LiveRoom, 'lastUpdateMs'>;

/** Which lobbies have a running room, in any process. */
export type Presence = {
  announce(lobbyId: LobbyId, room: Figures): Promise<void>;
  /** Undefined for a lobby that has been silent for too long. */
  read(lobbyId: LobbyId): Promise<LiveRoom | undefined>;
};

/** Knows the rooms of this process only. */
export function createMemoryPresence(nowMs: () => number): Presence {
  const rooms = new Map<LobbyId, LiveRoom>();
  return {
    announce: async (id, room) => {
      rooms.set(id, { ...room, lastUpdateMs: nowMs() });
    },
    read: async (id) => {
      const room = rooms.get(id);
      return room && !isLobbySilent(room.lastUpdateMs, nowMs()) ? room : undefined;
    },
  };
}

type RoomEvent = Omit<Figures, 'poolTotal'> & { readonly id: LobbyId; readonly poolTotal: string };

const ROOMS: Topic<RoomEvent> = {
  name: 'rooms',
  schema: z.object({
    id: z.uuid().transform(lobbyId),
    totalPlayers: z.int().nonnegative(),
    totalBots: z.int().nonnegative(),
    poolTotal: z.string().regex(/^\d{1,30}$/),
    disconnected: z.array(z.uuid().transform(entryId)).optional(),
    expelled: z.array(z.uuid().transform(entryId)).optional(),
    sketch: z.array(z.int()).max(1_000).optional(),
  }),
};

const NOTHING_KNOWN: Figures = { totalPlayers: 0, totalBots: 0, poolTotal: 0n };
const LOOK_MS = 1_000;

/**
 * Knows the rooms of all processes. While the bus does not reach them, the last figures stay, and the database says
 * which rooms run: reading never waits for it, since readers may hold the connection that it would need.
 */
export function createSharedPresence({
  bus,
  nowMs,
  logger,
  listRunning,
}: {
  readonly bus: Bus;
  readonly logger: Logger;
  nowMs(): number;
  /** The lobbies whose rooms run, according to the database. */
  listRunning(): Promise<readonly LobbyId[]>;
}): Presence & { close(): void } {
  const rooms = new Map<LobbyId, LiveRoom>();
  let running: ReadonlySet<LobbyId> = new Set();
  let isLooking = false;
  let isClosed = false;
  const stopFollowing = bus.follow(ROOMS, ({ id, poolTotal, ...people }) => {
    rooms.set(id, { ...people, poolTotal: BigInt(poolTotal), lastUpdateMs: nowMs() });
  });
  /** Whether every room has had time to report. */
  const isComplete = () => {
    const sinceMs = bus.wholeSinceMs();
    return sinceMs !== undefined && isLobbySilent(sinceMs, nowMs());
  };
  const look = async () => {
    if (isComplete() || isLooking) return;
    isLooking = true;
    try {
      running = new Set(await listRunning());
    } catch (error) {
      // The database may be closed before the last read is done.
      if (!isClosed)
        logger.error({ code: 'PRESENCE_FAILED', err: error }, 'the running rooms could not be read');
    } finally {
      isLooking = false;
    }
  };
  void look();
  const timer = setInterval(() => void look(), LOOK_MS);
  return {
    announce: async (id, { poolTotal, ...people }) => {
      bus.publish(ROOMS, { id, ...people, poolTotal: poolTotal.toString() });
    },
    read: async (id) => {
      const room = rooms.get(id);
      if (room && !isLobbySilent(room.lastUpdateMs, nowMs())) return room;
      if (isComplete() || !running.has(id)) return undefined;
      return { ...(room ?? NOTHING_KNOWN), lastUpdateMs: nowMs() };
    },
    close: () => {
      isClosed = true;
      stopFollowing();
      clearInterval(timer);
    },
  };
}

import { CloseCode, matchMaker } from '@colyseus/core';
import { failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { closesAtMs, isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { ROOM_LIMITS } from '../limits.ts';
import { announceClosing } from '../match/ending.ts';
import type { Match, MatchStart } from '../match/match.ts';
import { dismissUser } from '../match/seats.ts';
import type { Game, GameDeps, GameLobby, LobbyRefusal } from '../ports.ts';
import { arenaRoomOf, type RoomHost } from './arena-room.ts';
import { createKeyedLimit } from './keyed-limit.ts';

/**
 * Defines the game's room type, opens a room for every open lobby, and from then on follows the lobbies' schedules.
 * The transport must have been attached before.
 */
export async function registerGame(deps: GameDeps): Promise<Game> {
  const keeper = createLobbyKeeper(deps);
  matchMaker.defineRoomType(ROOM_NAME, arenaRoomOf(keeper)).filterBy(['lobbyId']);
  await keeper.start();
  return keeper;
}

type OpenRoom = {
  readonly roomId: string;
  readonly match: Match;
  readonly close: (closeCode: number) => Promise<void>;
};

type LobbyKeeper = Game & RoomHost & { start(): Promise<void> };

/** Gives every open lobby a room, and announces the closing when a lobby is about to close. */
function createLobbyKeeper(deps: GameDeps): LobbyKeeper {
  const { ports, clock, logger } = deps;
  let lobbies = new Map<LobbyId, GameLobby>();
  /** Undefined while the room is being created. */
  const rooms = new Map<LobbyId, OpenRoom | undefined>();
  /** Only a lobby that is leased to this process gets a room here. */
  const leases = new Set<LobbyId>();
  /** What the next room of a lobby begins with. */
  const starts = new Map<LobbyId, MatchStart>();
  /** Lobbies that wait for the block that their match depends on. */
  const preparing = new Set<LobbyId>();
  const mayTryCode = createKeyedLimit(ROOM_LIMITS.codesPerUser, clock);
  let cancelTimer = () => {};
  let checking = Promise.resolve();
  let isStopped = false;

  async function check(): Promise<void> {
    lobbies = new Map((await ports.listLobbies()).map((lobby) => [lobby.id, lobby]));
    const nowMs = clock.nowMs();
    for (const [lobbyId, room] of rooms) {
      if (room) followSchedule(room.match, lobbies.get(lobbyId), nowMs);
    }
    preparing.clear();
    for (const lobby of lobbies.values()) {
      if (!isStopped && !rooms.has(lobby.id) && isLobbyOpen(lobby, nowMs)) await openRoom(lobby);
    }
  }

  /** A lobby that cannot be opened stays offline until the next check and does not hold up the others. */
  async function openRoom(lobby: GameLobby): Promise<void> {
    const { id: lobbyId } = lobby;
    try {
      if (!(await ports.takeLease(lobbyId))) return;
      leases.add(lobbyId);
      const spill = await ports.readSpill(lobbyId);
      const origin = await ports.prepareMatch(lobby, deps.rules);
      if (!origin) {
        preparing.add(lobbyId);
        return;
      }
      starts.set(lobbyId, { lobby, origin, spill });
      await matchMaker.createRoom(ROOM_NAME, { lobbyId, protocolVersion: PROTOCOL_VERSION });
    } catch (error) {
      logger.error({ err: error, lobbyId }, 'could not open a lobby');
    }
  }

  function scheduleCheck(): void {
    if (isStopped) return;
    const delayMs = preparing.size > 0 ? ROOM_LIMITS.preparingCheckMs : ROOM_LIMITS.lobbyCheckMs;
    cancelTimer = clock.setTimer(delayMs, () => {
      checking = check()
        .catch((error: unknown) => logger.error({ err: error }, 'could not check the lobbies'))
        .then(scheduleCheck);
    });
  }

  function findOpenLobby(lobbyId: unknown): Result<GameLobby, LobbyRefusal> {
    const lobby = lobbies.get(lobbyId as LobbyId);
    if (!lobby) return err(failure('LOBBY_NOT_FOUND'));
    return isLobbyOpen(lobby, clock.nowMs()) ? ok(lobby) : err(failure('LOBBY_CLOSED'));
  }

  return {
    deps,
    start: async () => {
      const deadlineMs = clock.monotonicMs() + ROOM_LIMITS.startWithinMs;
      await check();
      // With a node that answers, the doors open with the lobbies.
      while (preparing.size > 0 && clock.monotonicMs() < deadlineMs) {
        await new Promise<void>((resolve) => clock.setTimer(ROOM_LIMITS.preparingCheckMs, resolve));
        await check();
      }
      scheduleCheck();
    },
    claim: (lobbyId) => {
      const found = findOpenLobby(lobbyId);
      if (!found.ok) return found;
      const { id } = found.value;
      const start = starts.get(id);
      if (isStopped || !start || rooms.has(id)) return err(failure('LOBBY_OFFLINE'));
      starts.delete(id);
      rooms.set(id, undefined);
      return ok(start);
    },
    mayTryCode,
    dismissUser: (userId) => {
      for (const room of rooms.values()) if (room) dismissUser(room.match, userId);
    },
    reserveSeat: async (options) => {
      const room = rooms.get(options.lobbyId as LobbyId);
      const listing = room && !isStopped ? await matchMaker.getRoomById(room.roomId) : undefined;
      if (listing) return ok(await matchMaker.reserveSeatFor(listing, options));
      const found = findOpenLobby(options.lobbyId);
      return found.ok ? err(failure('LOBBY_OFFLINE')) : found;
    },
    opened: (roomId, match, close) => {
      rooms.set(match.lobby.id, { roomId, match, close });
      logger.info({ lobbyId: match.lobby.id, matchId: match.id }, 'room opened');
    },
    release: (lobbyId) => {
      rooms.delete(lobbyId);
      leases.delete(lobbyId);
      ports
        .releaseLease(lobbyId)
        .catch((error: unknown) => logger.error({ err: error, lobbyId }, 'could not release a lease'));
      logger.info({ lobbyId }, 'room closed');
    },
    close: async () => {
      isStopped = true;
      cancelTimer();
      await checking;
      await Promise.all([...rooms.values()].map((room) => room?.close(CloseCode.SERVER_SHUTDOWN)));
    },
  };
}

function followSchedule(match: Match, lobby: GameLobby | undefined, nowMs: number): void {
  if (!lobby || !isLobbyOpen(lobby, nowMs)) {
    announceClosing(match, ROOM_LIMITS.lockedNoticeSeconds);
    return;
  }
  const closingMs = closesAtMs(lobby, nowMs);
  if (closingMs === undefined) return;
  const secondsLeft = (closingMs - nowMs) / 1000;
  if (secondsLeft <= ROOM_LIMITS.closingNoticeSeconds) announceClosing(match, secondsLeft);
}

import { CloseCode, matchMaker } from '@colyseus/core';
import { failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { closesAtMs, isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { ROOM_LIMITS } from '../limits.ts';
import { announceClosing } from '../match/ending.ts';
import type { Match } from '../match/match.ts';
import { countSeated, listSeated } from '../match/roster.ts';
import { dismissUser } from '../match/seats.ts';
import type { ArrivingMatch, Game, GameDeps, GameLobby, LobbyRefusal } from '../ports.ts';
import { arenaRoomOf, type OpenRoom, type RoomHost, type RoomStart } from './arena-room.ts';

const BAN_REASON = 'this account is banned';

/**
 * Defines the game's room type, opens a room for every open lobby as soon as its match may begin, and from then on follows
 * the lobbies' schedules.
 * The transport must have been attached before.
 */
export async function registerGame(deps: GameDeps): Promise<Game> {
  const keeper = createLobbyKeeper(deps);
  matchMaker.defineRoomType(ROOM_NAME, arenaRoomOf(keeper)).filterBy(['lobbyId']);
  await keeper.start();
  return keeper;
}

type LobbyKeeper = Game & RoomHost & { start(): Promise<void> };

/** Gives every open lobby a room, and announces the closing when a lobby is about to close. */
function createLobbyKeeper(deps: GameDeps): LobbyKeeper {
  const { ports, clock, logger } = deps;
  let lobbies = new Map<LobbyId, GameLobby>();
  /** Undefined while the room is being created. */
  const rooms = new Map<LobbyId, OpenRoom | undefined>();
  /** What the next room of a lobby begins with. */
  const starts = new Map<LobbyId, RoomStart>();
  /** Lobbies that wait for the block that their match depends on. */
  const preparing = new Set<LobbyId>();
  /** Rooms whose match has moved, until nobody is in them any more. */
  const departures: Promise<unknown>[] = [];
  let cancelTimer = () => {};
  let checking = Promise.resolve();
  /** Another process is about to hand over its matches. */
  let isPeerLeaving = false;
  let isLeaving = false;
  let isStopped = false;

  async function check(): Promise<void> {
    lobbies = new Map((await ports.listLobbies()).map((lobby) => [lobby.id, lobby]));
    const nowMs = clock.nowMs();
    for (const [lobbyId, room] of rooms) {
      if (room) followSchedule(room.match, lobbies.get(lobbyId), nowMs);
    }
    await expelBanned();
    preparing.clear();
    await takeOver();
    for (const lobby of lobbies.values()) {
      const isWanted = !rooms.has(lobby.id) && isLobbyOpen(lobby, nowMs);
      if (isWanted && !isStopped && !isLeaving) await openRoom(lobby);
    }
  }

  /** A ban ends the game that its user is in; the rules of leaving decide what comes back. */
  async function expelBanned(): Promise<void> {
    const open = [...rooms.values()].filter((room) => room !== undefined);
    const userIds = [...new Set(open.flatMap(({ match }) => listSeated(match.roster)))];
    if (userIds.length === 0) return;
    for (const userId of await ports.findBanned(userIds)) {
      for (const room of open) room.expel(userId, BAN_REASON);
    }
  }

  async function takeOver(): Promise<void> {
    const { matches, isNearby } = await ports.takeOver();
    isPeerLeaving = isNearby;
    for (const arriving of matches) await resume(arriving);
  }

  /** What cannot go on is refunded. */
  async function resume(arriving: ArrivingMatch): Promise<void> {
    const { lobby, origin } = arriving;
    try {
      lobbies.set(lobby.id, lobby);
      starts.set(lobby.id, arriving);
      await createRoom(lobby.id);
    } catch (error) {
      logger.error(
        { code: 'MATCH_NOT_RESUMED', err: error, matchId: origin.id },
        'could not go on with a match',
      );
      starts.delete(lobby.id);
      await ports.abandonMatch(origin.id, lobby.id);
    }
  }

  const createRoom = (lobbyId: LobbyId) =>
    matchMaker.createRoom(ROOM_NAME, { lobbyId, protocolVersion: PROTOCOL_VERSION });

  /** While others leave, looks for their matches between the checks. */
  async function watchPeers(): Promise<void> {
    const untilMs = clock.monotonicMs() + ROOM_LIMITS.takeOverWatchMs;
    while (isPeerLeaving && !isStopped && clock.monotonicMs() < untilMs) {
      await pause(ROOM_LIMITS.takeOverCheckMs);
      await takeOver();
    }
  }

  const pause = (ms: number) => new Promise<void>((resolve) => clock.setTimer(ms, resolve));

  /** A lobby that cannot be opened stays offline until the next check and does not hold up the others. */
  async function openRoom(lobby: GameLobby): Promise<void> {
    const { id: lobbyId } = lobby;
    try {
      if (!(await ports.takeLease(lobbyId))) return;
      const spill = await ports.readSpill(lobbyId);
      const origin = await ports.prepareMatch(lobby, deps.rules);
      if (!origin) {
        preparing.add(lobbyId);
        return;
      }
      starts.set(lobbyId, { lobby, origin, spill });
      await createRoom(lobbyId);
    } catch (error) {
      logger.error({ code: 'LOBBY_NOT_OPENED', err: error, lobbyId }, 'could not open a lobby');
    }
  }

  /** Who follows a match from another process may be faster than the match. */
  async function findRoom(lobbyId: LobbyId): Promise<OpenRoom | undefined> {
    const untilMs = clock.monotonicMs() + ROOM_LIMITS.returnWithinMs;
    const mayCome = () => isPeerLeaving && lobbies.has(lobbyId) && !rooms.get(lobbyId) && !isStopped;
    while (mayCome() && clock.monotonicMs() < untilMs) {
      await pause(ROOM_LIMITS.takeOverCheckMs / 4);
    }
    return rooms.get(lobbyId);
  }

  function scheduleCheck(): void {
    if (isStopped) return;
    const { takeOverCheckMs, preparingCheckMs, lobbyCheckMs } = ROOM_LIMITS;
    const delayMs = isPeerLeaving ? takeOverCheckMs : preparing.size > 0 ? preparingCheckMs : lobbyCheckMs;
    cancelTimer = clock.setTimer(delayMs, () => {
      checking = check()
        .then(watchPeers)
        .catch((error: unknown) =>
          logger.error({ code: 'LOBBIES_NOT_CHECKED', err: error }, 'could not check the lobbies'),
        )
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
      await check();
      scheduleCheck();
    },
    untilOpen: async () => {
      const deadlineMs = clock.monotonicMs() + ROOM_LIMITS.startWithinMs;
      for (;;) {
        // In the middle of a check nobody knows.
        await checking;
        if (preparing.size === 0 || isStopped || clock.monotonicMs() > deadlineMs) return;
        await pause(ROOM_LIMITS.preparingCheckMs / 4);
      }
    },
    claim: (lobbyId) => {
      const id = lobbyId as LobbyId;
      const start = starts.get(id);
      // A match that comes from elsewhere goes on, whatever the lobby's schedule says by now.
      const isArriving = start !== undefined && 'state' in start;
      const found = findOpenLobby(lobbyId);
      if (!isArriving && !found.ok) return found;
      const isRefused = isStopped || (isLeaving && !isArriving);
      if (isRefused || !start || rooms.has(id)) return err(failure('LOBBY_OFFLINE'));
      starts.delete(id);
      rooms.set(id, undefined);
      return ok(start);
    },
    dismissUser: (userId) => {
      for (const room of rooms.values()) if (room) dismissUser(room.match, userId);
    },
    reserveSeat: async (options) => {
      const room = await findRoom(options.lobbyId as LobbyId);
      const listing = room && !isStopped ? await matchMaker.getRoomById(room.roomId) : undefined;
      if (listing) return ok(await matchMaker.reserveSeatFor(listing, options));
      const found = findOpenLobby(options.lobbyId);
      return found.ok ? err(failure('LOBBY_OFFLINE')) : found;
    },
    opened: (room) => {
      const { id, lobby } = room.match;
      rooms.set(lobby.id, room);
      logger.info({ lobbyId: lobby.id, matchId: id }, 'room opened');
    },
    forget: (lobbyId, emptied) => {
      rooms.delete(lobbyId);
      // A room that could not be emptied has nothing left to lose.
      departures.push(emptied.catch(() => undefined));
      logger.info({ lobbyId }, 'room moved');
    },
    release: (lobbyId) => {
      rooms.delete(lobbyId);
      ports
        .releaseLease(lobbyId)
        .catch((error: unknown) =>
          logger.error({ code: 'LEASE_NOT_RELEASED', err: error, lobbyId }, 'could not release a lease'),
        );
      logger.info({ lobbyId }, 'room closed');
    },
    leave: async () => {
      isLeaving = true;
      if (!(await ports.startLeaving())) return;
      await pause(ROOM_LIMITS.leavingNoticeMs);
      const staying = new Set<OpenRoom>();
      while (rooms.size > 0) {
        // One after the other, so that none stands still while it waits for its turn.
        for (const room of [...rooms.values()].toSorted(emptyFirst)) {
          if (!room || staying.has(room) || (await room.moveAway())) continue;
          staying.add(room);
          if (countSeated(room.match.roster) === 0) await room.close(CloseCode.SERVER_SHUTDOWN);
          else announceClosing(room.match, ROOM_LIMITS.leavingMatchSeconds);
        }
        await pause(ROOM_LIMITS.preparingCheckMs);
      }
      await Promise.all(departures);
    },
    close: async () => {
      isStopped = true;
      cancelTimer();
      await checking;
      await Promise.all([...rooms.values()].map((room) => room?.close(CloseCode.SERVER_SHUTDOWN)));
    },
  };
}

/** Lobbies without people are not moved but opened anew elsewhere, which takes longer. */
function emptyFirst(a: OpenRoom | undefined, b: OpenRoom | undefined): number {
  const people = (room: OpenRoom | undefined) => (room ? countSeated(room.match.roster) : 0);
  return people(a) - people(b);
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

import { CloseCode, matchMaker } from '@colyseus/core';
import { failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { type JoinOptions, ROOM_NAME } from '@engulf/protocol/room/join-options';
import { ROOM_LIMITS } from '../limits.ts';
import type { Game, GameDeps, LobbyRefusal, SeatReservation } from '../ports.ts';
import { arenaRoomOf } from './arena-room.ts';
import { checkLobbies, watchPeers } from './check-lobbies.ts';
import { leaveRooms } from './leave-rooms.ts';
import {
  createLobbyRooms,
  findOpenLobby,
  type LobbyRooms,
  listOpenRooms,
  roomHostOf,
} from './lobby-rooms.ts';
import { pause } from './pause.ts';
import type { OpenRoom } from './room-host.ts';

/**
 * Defines the game's room type, opens a room for every open lobby as soon as its match may begin, and from then on
 * follows the lobbies' schedules. The transport must have been attached before.
 */
export async function registerGame(deps: GameDeps): Promise<Game> {
  const state = createLobbyRooms(deps);
  matchMaker.defineRoomType(ROOM_NAME, arenaRoomOf(roomHostOf(state))).filterBy(['lobbyId']);
  await checkLobbies(state);
  const checks = startChecks(state);
  return {
    untilOpen: checks.untilOpen,
    reserveSeat: (options) => reserveSeat(state, options),
    leave: () => leaveRooms(state),
    async close() {
      state.isStopped = true;
      await checks.stop();
      await Promise.all(listOpenRooms(state).map((room) => room.close(CloseCode.SERVER_SHUTDOWN)));
    },
  };
}

function startChecks(state: LobbyRooms) {
  const { clock, logger } = state.deps;
  let cancelTimer = () => {};
  let checking = Promise.resolve();
  schedule();

  return {
    async untilOpen(): Promise<void> {
      const deadlineMs = clock.monotonicMs() + ROOM_LIMITS.startWithinMs;
      for (;;) {
        // A check clears the list of those that are being prepared and fills it again.
        await checking;
        if (state.preparing.size === 0 || state.isStopped || clock.monotonicMs() > deadlineMs) return;
        await pause(clock, ROOM_LIMITS.preparingCheckMs / 4);
      }
    },
    async stop(): Promise<void> {
      cancelTimer();
      await checking;
    },
  };

  function schedule(): void {
    if (state.isStopped) return;
    cancelTimer = clock.setTimer(untilNextCheckMs(state), () => {
      checking = check().then(schedule);
    });
  }

  async function check(): Promise<void> {
    try {
      await checkLobbies(state);
      await watchPeers(state);
    } catch (error) {
      logger.error({ code: 'LOBBIES_NOT_CHECKED', err: error }, 'could not check the lobbies');
    }
  }
}

function untilNextCheckMs({ isPeerLeaving, preparing }: LobbyRooms): number {
  if (isPeerLeaving) return ROOM_LIMITS.takeOverCheckMs;
  return preparing.size > 0 ? ROOM_LIMITS.preparingCheckMs : ROOM_LIMITS.lobbyCheckMs;
}

async function reserveSeat(
  state: LobbyRooms,
  options: JoinOptions,
): Promise<Result<SeatReservation, LobbyRefusal>> {
  const room = await findRoom(state, options.lobbyId as LobbyId);
  const listing = room && !state.isStopped ? await matchMaker.getRoomById(room.roomId) : undefined;
  if (listing) return ok(await matchMaker.reserveSeatFor(listing, options));
  const found = findOpenLobby(state, options.lobbyId);
  return found.ok ? err(failure('LOBBY_OFFLINE')) : found;
}

/** A player who follows a match from another process may arrive before the match does. */
async function findRoom(state: LobbyRooms, lobbyId: LobbyId): Promise<OpenRoom | undefined> {
  const { rooms, deps } = state;
  const { clock } = deps;
  const untilMs = clock.monotonicMs() + ROOM_LIMITS.returnWithinMs;
  const mayCome = () =>
    state.isPeerLeaving && state.lobbies.has(lobbyId) && !rooms.get(lobbyId) && !state.isStopped;
  while (mayCome() && clock.monotonicMs() < untilMs) {
    await pause(clock, ROOM_LIMITS.takeOverCheckMs / 4);
  }
  return rooms.get(lobbyId);
}

import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Hello } from '@engulf/protocol/room/join';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import type { Connection } from '../connection.ts';
import type { Visitor } from '../entrance/entrance.ts';
import { ROOM_LIMITS } from '../limits.ts';
import type { GameControl, GameDeps } from '../ports.ts';
import type { Enter, Guest } from '../sockets/ingress.ts';
import { checkLobbies, watchPeers } from './check-lobbies.ts';
import { leaveRooms } from './leave-rooms.ts';
import { createLobbyRooms, findOpenLobby, type LobbyRooms, listOpenRooms } from './lobby-rooms.ts';
import { pause } from './pause.ts';
import type { OpenRoom } from './room-host.ts';

/** The running game. */
export type Game = GameControl & { readonly enter: Enter };

/** Opens a room for every open lobby as soon as its match may begin, and from then on follows the lobbies' schedules. */
export async function startRooms(deps: GameDeps): Promise<Game> {
  const state = createLobbyRooms(deps);
  await checkLobbies(state);
  const checks = startChecks(state);
  return {
    untilOpen: checks.untilOpen,
    enter: (hello, connection, visitor) => enter(state, hello, connection, visitor),
    leave: () => leaveRooms(state),
    async close() {
      state.isStopped = true;
      await checks.stop();
      await Promise.all(listOpenRooms(state).map((room) => room.close(CLOSE_CODES.shutdown)));
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

/** The answer to the first frame of a socket. */
async function enter(
  state: LobbyRooms,
  hello: Hello,
  connection: Connection,
  visitor: Visitor,
): Promise<Result<Guest, Failure>> {
  if (hello.type === 'resume') {
    for (const room of listOpenRooms(state)) {
      const resumed = room.resume(hello.token, connection);
      if (resumed) return resumed;
    }
    return err(failure('SESSION_ENDED'));
  }
  const room = await findRoom(state, hello.options.lobbyId as LobbyId);
  if (room && !state.isStopped) return room.join(hello.options, connection, visitor);
  const found = findOpenLobby(state, hello.options.lobbyId);
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

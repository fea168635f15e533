import { failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { isLobbyOpen } from '@engulf/domain/lobby/opening-hours';
import { dismissUser } from '../match/seats.ts';
import type { GameDeps, GameLobby, LobbyRefusal } from '../ports.ts';
import type { OpenRoom, RoomHost } from './room-host.ts';

/** The lobbies there are, and the rooms that this process runs for them. */
export type LobbyRooms = {
  readonly deps: GameDeps;
  lobbies: Map<LobbyId, GameLobby>;
  readonly rooms: Map<LobbyId, OpenRoom>;
  /** Lobbies whose lease this process has, but no room to give it back when it closes. */
  readonly unclaimed: Set<LobbyId>;
  /** Lobbies that wait for the block that their match depends on. */
  readonly preparing: Set<LobbyId>;
  /** Rooms whose match has moved; each resolves when nobody is left in it. */
  readonly departures: Promise<unknown>[];
  /** Another process is about to hand over its matches. */
  isPeerLeaving: boolean;
  isLeaving: boolean;
  isStopped: boolean;
};

export function createLobbyRooms(deps: GameDeps): LobbyRooms {
  return {
    deps,
    lobbies: new Map(),
    rooms: new Map(),
    unclaimed: new Set(),
    preparing: new Set(),
    departures: [],
    isPeerLeaving: false,
    isLeaving: false,
    isStopped: false,
  };
}

export function listOpenRooms({ rooms }: LobbyRooms): OpenRoom[] {
  return [...rooms.values()];
}

export function findOpenLobby(
  { lobbies, deps }: LobbyRooms,
  lobbyId: unknown,
): Result<GameLobby, LobbyRefusal> {
  const lobby = lobbies.get(lobbyId as LobbyId);
  if (!lobby) return err(failure('LOBBY_NOT_FOUND'));
  return isLobbyOpen(lobby, deps.clock.nowMs()) ? ok(lobby) : err(failure('LOBBY_CLOSED'));
}

export function roomHostOf(state: LobbyRooms): RoomHost {
  const { deps, rooms, departures } = state;
  const { logger } = deps;
  return {
    deps,
    release(lobbyId) {
      rooms.delete(lobbyId);
      releaseLease(state, lobbyId);
      logger.info({ lobbyId }, 'room closed');
    },
    forget(lobbyId, emptied) {
      rooms.delete(lobbyId);
      // If the room could not be emptied, nothing is lost: its match is elsewhere.
      departures.push(emptied.catch(() => undefined));
      logger.info({ lobbyId }, 'room moved');
    },
    dismissUser(userId) {
      for (const room of rooms.values()) dismissUser(room.match, userId);
    },
  };
}

export function releaseLease({ deps }: LobbyRooms, lobbyId: LobbyId): void {
  const { ports, logger } = deps;
  ports
    .releaseLease(lobbyId)
    .catch((error: unknown) =>
      logger.error({ code: 'LEASE_NOT_RELEASED', err: error, lobbyId }, 'could not release a lease'),
    );
}

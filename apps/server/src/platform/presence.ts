import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { isLobbySilent } from '@engulf/domain/lobby/lobby-type';

/** What a running room says of itself. */
export type LiveRoom = {
  /** People. */
  readonly totalPlayers: number;
  readonly totalBots: number;
  /** Bounties and spill in the room, in base units. */
  readonly poolTotal: bigint;
  readonly lastUpdateMs: number;
};

/** Which lobbies have a running room. Asynchronous, because rooms may run in other processes. */
export type Presence = {
  announce(lobbyId: LobbyId, room: Omit<LiveRoom, 'lastUpdateMs'>): Promise<void>;
  /** Undefined for a lobby that has been silent for too long. */
  read(lobbyId: LobbyId): Promise<LiveRoom | undefined>;
};

/** Knows the rooms of this process only. */
export function createMemoryPresence(nowMs: () => number): Presence {
  const rooms = new Map<LobbyId, LiveRoom>();
  return {
    announce: async (lobbyId, { totalPlayers, totalBots, poolTotal }) => {
      rooms.set(lobbyId, { totalPlayers, totalBots, poolTotal, lastUpdateMs: nowMs() });
    },
    read: async (lobbyId) => {
      const room = rooms.get(lobbyId);
      return room && !isLobbySilent(room.lastUpdateMs, nowMs()) ? room : undefined;
    },
  };
}

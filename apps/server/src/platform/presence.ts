import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { isLobbySilent } from '@engulf/domain/lobby/lobby-type';
import type { LobbyLive } from '../game/ports.ts';

/** Which lobbies have a running room, as the rooms themselves keep saying. */
export type Presence = {
  setLive(lobbyId: LobbyId, live: LobbyLive): void;
  /** Undefined for a lobby that has been silent for too long. */
  live(lobbyId: LobbyId): (LobbyLive & { readonly lastUpdateMs: number }) | undefined;
  all(): (LobbyLive & { readonly lobbyId: LobbyId })[];
};

export function createPresence(nowMs: () => number): Presence {
  const rooms = new Map<LobbyId, LobbyLive & { readonly lastUpdateMs: number }>();
  const live: Presence['live'] = (lobbyId) => {
    const room = rooms.get(lobbyId);
    return room && !isLobbySilent(room.lastUpdateMs, nowMs()) ? room : undefined;
  };
  return {
    setLive: (lobbyId, { totalPlayers, poolTotal }) => {
      rooms.set(lobbyId, { totalPlayers, poolTotal, lastUpdateMs: nowMs() });
    },
    live,
    all: () =>
      [...rooms.keys()].flatMap((lobbyId) => {
        const room = live(lobbyId);
        return room ? [{ lobbyId, totalPlayers: room.totalPlayers, poolTotal: room.poolTotal }] : [];
      }),
  };
}

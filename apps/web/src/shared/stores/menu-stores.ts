import { isLobbySilent } from '@engulf/domain/lobby/lobby-type';
import type { Gathering, Lobby, LobbyUpdate } from '@engulf/protocol/lobby';
import type { LeaderboardPeriod, MenuLeaderboard } from '@engulf/protocol/menu/leaderboard';
import { create } from 'zustand';

/** The last report from a lobby. `heardAtMs` is our clock, which may differ from the server's. */
export type LobbyPulse = {
  /** People only. */
  readonly totalPlayers: number;
  readonly totalBots: number;
  readonly poolTotal: bigint;
  /** Who waits for a game in a paid lobby to begin. */
  readonly gathering?: Gathering | undefined;
  /** The largest cells of an arena that the menu shows. */
  readonly sketch?: readonly number[] | undefined;
  readonly heardAtMs: number;
};

type LobbyState = {
  /** Undefined until the first list arrives. */
  readonly lobbies: readonly Lobby[] | undefined;
  readonly pulses: { readonly [lobbyId: string]: LobbyPulse };
  setLobbies: (lobbies: readonly Lobby[], nowMs: number) => void;
  applyUpdate: (update: LobbyUpdate, nowMs: number) => void;
};

export const useLobbyStore = create<LobbyState>()((set) => ({
  lobbies: undefined,
  pulses: {},
  setLobbies: (lobbies, nowMs) =>
    set({
      lobbies,
      pulses: Object.fromEntries(
        lobbies.filter((lobby) => lobby.isActive).map((lobby) => [lobby.id, firstPulse(lobby, nowMs)]),
      ),
    }),
  applyUpdate: ({ lobbyId, totalPlayers, totalBots, poolTotal, baseGame, gathering, sketch }, nowMs) => {
    const pulse = {
      totalPlayers,
      totalBots,
      poolTotal: BigInt(poolTotal),
      gathering,
      sketch,
      heardAtMs: nowMs,
    };
    set(({ lobbies, pulses }) => ({
      pulses: { ...pulses, [lobbyId]: pulse },
      lobbies: withAddress(lobbies, lobbyId, baseGame),
    }));
  },
}));

/** The lobby as last reported: its room may have moved. */
export function latestLobby(lobby: Lobby): Lobby {
  return useLobbyStore.getState().lobbies?.find(({ id }) => id === lobby.id) ?? lobby;
}

/** The same list, unless the lobby's room has moved. */
function withAddress(lobbies: LobbyState['lobbies'], lobbyId: string, baseGame: string | null) {
  const hasMoved = lobbies?.some((lobby) => lobby.id === lobbyId && lobby.baseGame !== baseGame);
  if (!hasMoved) return lobbies;
  return lobbies?.map((lobby) => (lobby.id === lobbyId ? { ...lobby, baseGame } : lobby));
}

export function isLive(pulse: LobbyPulse | undefined, nowMs: number): pulse is LobbyPulse {
  return pulse !== undefined && !isLobbySilent(pulse.heardAtMs, nowMs);
}

function firstPulse(lobby: Lobby, nowMs: number): LobbyPulse {
  const { currentPlayers: totalPlayers, currentBots: totalBots } = lobby;
  return { totalPlayers, totalBots, poolTotal: BigInt(lobby.poolAmount), heardAtMs: nowMs };
}

type Period = LeaderboardPeriod['event'];

type LeaderboardState = {
  readonly boards: { readonly [period in Period]?: MenuLeaderboard };
  setBoard: (period: Period, rows: MenuLeaderboard) => void;
};

export const useLeaderboardStore = create<LeaderboardState>()((set) => ({
  boards: {},
  setBoard: (period, rows) => set(({ boards }) => ({ boards: { ...boards, [period]: rows } })),
}));

import type { WalletAddress } from '@engulf/domain/ids/entity-ids';
import type { Lobby, LobbyUpdate } from '@engulf/protocol/lobby';
import {
  MENU_SERVER_EVENTS,
  type MenuClientToServer,
  type MenuServerToClient,
} from '@engulf/protocol/menu/events';
import type { MenuLeaderboard } from '@engulf/protocol/menu/leaderboard';
import { LEADERBOARD_PERIODS, type LeaderboardPeriod } from '@engulf/protocol/menu/leaderboard';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import { io, type Socket } from 'socket.io-client';

export type MenuListener = {
  onLobbies: (lobbies: readonly Lobby[]) => void;
  onLobbyUpdate: (update: LobbyUpdate) => void;
  onLeaderboard: (period: LeaderboardPeriod['event'], rows: MenuLeaderboard) => void;
  onMultiplier: (multiplier: number) => void;
  onGameEnded: (message: string) => void;
  onSessionWarning: (conflict: SessionConflict) => void;
};

export type MenuSocket = {
  /** Asks for the lobbies. When somebody signs in or out the connection is made anew: the cookie says who we are. */
  register: (address: WalletAddress | undefined) => void;
  askLeaderboard: (period: LeaderboardPeriod['event']) => void;
  dispose: () => void;
};

export function openMenuSocket(listener: MenuListener): MenuSocket {
  const socket: Socket<MenuServerToClient, MenuClientToServer> = io({ autoConnect: false });
  let identity: WalletAddress | 'anonymous' = 'anonymous';

  socket.on('connect', () => {
    socket.emit('register', identity);
    for (const { event } of LEADERBOARD_PERIODS) socket.emit(`get:leaderboard:${event}`);
  });

  const on = <Event extends keyof MenuServerToClient>(
    event: Event,
    take: (payload: Parameters<MenuServerToClient[Event]>[0]) => void,
  ) => {
    const schema = MENU_SERVER_EVENTS[event];
    // Socket.IO's types cannot follow a generic event name.
    const untyped = socket as unknown as { on(event: string, take: (payload: unknown) => void): void };
    untyped.on(event, (payload) => {
      const parsed = schema.safeParse(payload);
      if (parsed.success) take(parsed.data as Parameters<MenuServerToClient[Event]>[0]);
      else console.error(`unexpected ${event} on the menu socket`, parsed.error);
    });
  };
  on('lobby', listener.onLobbies);
  on('lobby_update', listener.onLobbyUpdate);
  for (const { event } of LEADERBOARD_PERIODS) {
    on(`leaderboard:${event}`, (rows) => listener.onLeaderboard(event, rows));
  }
  on('profile:update', ({ multiplier }) => listener.onMultiplier(multiplier));
  on('game_ended', ({ message }) => listener.onGameEnded(message));
  on('session_warning', listener.onSessionWarning);

  return {
    register: (address) => {
      identity = address ?? 'anonymous';
      socket.disconnect().connect();
    },
    askLeaderboard: (period) => {
      if (socket.connected) socket.emit(`get:leaderboard:${period}`);
    },
    dispose: () => {
      socket.removeAllListeners();
      socket.disconnect();
    },
  };
}

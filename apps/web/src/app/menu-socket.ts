import { describeFailure, failure } from '@engulf/domain/errors/registry';
import { isWalletAddress, type WalletAddress } from '@engulf/domain/ids/entity-ids';
import { GLOBAL_CHANNEL } from '@engulf/protocol/chat';
import type { Lobby, LobbyUpdate } from '@engulf/protocol/lobby';
import {
  MENU_SERVER_EVENTS,
  type MenuClientToServer,
  type MenuServerToClient,
} from '@engulf/protocol/menu/events';
import type { MenuLeaderboard } from '@engulf/protocol/menu/leaderboard';
import { LEADERBOARD_PERIODS, type LeaderboardPeriod } from '@engulf/protocol/menu/leaderboard';
import { MENU_TRANSPORTS } from '@engulf/protocol/menu/transports';
import type { SessionConflict } from '@engulf/protocol/session-conflict';
import type { User } from '@engulf/protocol/user';
import { useCallback, useEffect, useRef } from 'react';
import { io, type Socket } from 'socket.io-client';
import { chatInput } from '../features/chat/chat-store.ts';
import { useUserCache } from '../shared/api/queries.ts';
import { paymentNews } from '../shared/payment-news.ts';
import { serverNowMs } from '../shared/server-clock.ts';
import { useGatheringStore } from '../shared/stores/gathering-store.ts';
import { useLeaderboardStore, useLobbyStore } from '../shared/stores/menu-stores.ts';

type Handlers = {
  onConflict: (conflict: SessionConflict) => void;
  onKicked: () => void;
};

/** Keeps one menu socket open for the life of the page and fills the stores from it. */
export function useMenuSocket(user: User | null | undefined, handlers: Handlers) {
  const socketRef = useRef<MenuSocket>(undefined);
  const cache = useUserCache();
  const latest = useRef({ user, handlers, cache });
  latest.current = { user, handlers, cache };

  useEffect(() => {
    const socket = openMenuSocket({
      onLobbies: (lobbies) => useLobbyStore.getState().setLobbies(lobbies, serverNowMs()),
      onLobbyUpdate: (update) => useLobbyStore.getState().applyUpdate(update, serverNowMs()),
      onLeaderboard: (period, rows) => useLeaderboardStore.getState().setBoard(period, rows),
      onProfile: (profile) => latest.current.cache.patch(profile),
      onSessionWarning: (conflict) => latest.current.handlers.onConflict(conflict),
      onGameEnded: (message) => {
        if (message === 'kicked') latest.current.handlers.onKicked();
      },
    });
    socketRef.current = socket;
    return () => socket.dispose();
  }, []);

  const address = user === undefined ? undefined : (user?.walletAddress ?? 'anonymous');
  useEffect(() => {
    if (address === undefined) return;
    socketRef.current?.register(isWalletAddress(address) ? address : undefined);
  }, [address]);

  const requestLeaderboard = useCallback(
    (period: LeaderboardPeriod['event']) => socketRef.current?.requestLeaderboard(period),
    [],
  );
  const sendChat = useCallback((text: string) => {
    const isSent = socketRef.current?.sendChat(text);
    if (isSent && latest.current.user) chatInput.sent(latest.current.user.id);
  }, []);
  return { requestLeaderboard, sendChat };
}

type MenuListener = {
  onLobbies: (lobbies: readonly Lobby[]) => void;
  onLobbyUpdate: (update: LobbyUpdate) => void;
  onLeaderboard: (period: LeaderboardPeriod['event'], rows: MenuLeaderboard) => void;
  onProfile: (profile: Parameters<MenuServerToClient['profile:update']>[0]) => void;
  onGameEnded: (message: string) => void;
  onSessionWarning: (conflict: SessionConflict) => void;
};

type MenuSocket = {
  /** Reconnects: the server reads the session cookie only when a socket opens. */
  register: (address: WalletAddress | undefined) => void;
  requestLeaderboard: (period: LeaderboardPeriod['event']) => void;
  /** Returns whether it was sent. */
  sendChat: (text: string) => boolean;
  dispose: () => void;
};

/** The server sends every lobby about every two seconds. Its pings, which also reveal a dead connection, are 50 s apart. */
const SILENT_MS = 8_000;
/** When the last room of the server closes, all pages hear nothing at once, and must not all reconnect at once. */
const SPREAD_MS = 4_000;
const LISTEN_EVERY_MS = 1_000;
const CONNECT_WITHIN_MS = 8_000;
/** Whoever gathers hears of it about every second. */
const GATHERING_SILENT_MS = 6_000;

/** @internal */
export function openMenuSocket(listener: MenuListener): MenuSocket {
  const socket: Socket<MenuServerToClient, MenuClientToServer> = io({
    ...MENU_TRANSPORTS,
    autoConnect: false,
    timeout: CONNECT_WITHIN_MS,
  });
  /** When the latest update of a lobby arrived. Infinity until the first one: without running rooms there is none. */
  let heardMs = Number.POSITIVE_INFINITY;
  const patienceMs = SILENT_MS + Math.random() * SPREAD_MS;
  const listening = setInterval(() => {
    if (!socket.connected || performance.now() - heardMs < patienceMs) return;
    heardMs = Number.POSITIVE_INFINITY;
    socket.disconnect().connect();
  }, LISTEN_EVERY_MS);
  let identity: WalletAddress | 'anonymous' = 'anonymous';
  let forgetting: ReturnType<typeof setTimeout> | undefined;
  /** What ended while the line was broken is announced to nobody: a new process does not know who was told. */
  const forgetUnlessHeard = () => {
    const { own, set } = useGatheringStore.getState();
    clearTimeout(forgetting);
    forgetting = setTimeout(() => {
      if (useGatheringStore.getState().own === own) set({ state: 'away' });
    }, GATHERING_SILENT_MS);
  };

  socket.on('connect', () => {
    heardMs = Number.POSITIVE_INFINITY;
    if (useGatheringStore.getState().own) forgetUnlessHeard();
    socket.emit('register', identity);
    for (const { event } of LEADERBOARD_PERIODS) socket.emit(`get:leaderboard:${event}`);
    chatInput.connected();
  });
  socket.on('disconnect', chatInput.disconnected);

  const on = <Event extends keyof MenuServerToClient>(
    event: Event,
    handle: (payload: Parameters<MenuServerToClient[Event]>[0]) => void,
  ) => {
    const schema = MENU_SERVER_EVENTS[event];
    // Socket.IO's types cannot follow a generic event name.
    const untyped = socket as unknown as { on(event: string, handle: (payload: unknown) => void): void };
    untyped.on(event, (payload) => {
      const parsed = schema.safeParse(payload);
      if (parsed.success) handle(parsed.data as Parameters<MenuServerToClient[Event]>[0]);
      else console.error(`unexpected ${event} on the menu socket`, parsed.error);
    });
  };
  on('lobby', listener.onLobbies);
  on('lobby_update', (update) => {
    heardMs = performance.now();
    listener.onLobbyUpdate(update);
  });
  for (const { event } of LEADERBOARD_PERIODS) {
    on(`leaderboard:${event}`, (rows) => listener.onLeaderboard(event, rows));
  }
  on('profile:update', listener.onProfile);
  on('game_ended', ({ message }) => listener.onGameEnded(message));
  on('session_warning', listener.onSessionWarning);
  on('gathering', (sent) => {
    clearTimeout(forgetting);
    useGatheringStore.getState().set(sent);
  });
  on('payment:update', ({ paymentSessionId }) => paymentNews.announce(paymentSessionId));
  on('lobby:chat:message', chatInput.received);
  on('chat:message', chatInput.received);
  on('chat:getHistory', chatInput.outdated);
  on('chat:error', ({ reason }) => chatInput.refused(reason));

  return {
    register: (address) => {
      identity = address ?? 'anonymous';
      socket.disconnect().connect();
    },
    requestLeaderboard: (period) => {
      if (socket.connected) socket.emit(`get:leaderboard:${period}`);
    },
    sendChat: (text) => {
      if (socket.connected) socket.emit('lobby:chat:send', { message: text, lobbyId: GLOBAL_CHANNEL });
      else chatInput.refused(describeFailure(failure('CHAT_NOT_SENT')).text);
      return socket.connected;
    },
    dispose: () => {
      clearInterval(listening);
      clearTimeout(forgetting);
      socket.removeAllListeners();
      socket.disconnect();
    },
  };
}

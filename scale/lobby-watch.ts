import { setTimeout as sleep } from 'node:timers/promises';
import type { Lobby } from '@engulf/protocol/lobby';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { io } from 'socket.io-client';

/** The lobby list as a page sees it, through the one public address. */
export type LobbyWatch = {
  lobbies(): readonly Lobby[];
  find(id: string): Lobby | undefined;
  /** Every change of a lobby between online and offline since the start. */
  readonly changes: readonly { atMs: number; name: string; isOnline: boolean }[];
  /** Resolves to the time until the list shows what is wanted of every lobby. */
  until(ids: readonly string[], isRight: (lobby: Lobby) => boolean, withinMs: number): Promise<number>;
  close(): void;
};

/** The list is refreshed once a second. */
const ASK_MS = 1_000;

export async function watchLobbies(url: string): Promise<LobbyWatch> {
  const socket = io(url, { transports: ['websocket'], reconnectionDelay: 100, reconnectionDelayMax: 500 });
  let latest: readonly Lobby[] = [];
  const online = new Map<string, boolean>();
  const changes: { atMs: number; name: string; isOnline: boolean }[] = [];
  const ask = () => socket.connected && socket.emit('register', 'anonymous');
  socket.on('connect', ask);
  socket.on('lobby', (list: unknown) => {
    latest = MENU_SERVER_EVENTS.lobby.parse(list);
    for (const { name, isActive } of latest) {
      if (online.get(name) !== isActive) changes.push({ atMs: Date.now(), name, isOnline: isActive });
      online.set(name, isActive);
    }
  });
  const timer = setInterval(ask, ASK_MS);
  await new Promise((resolve) => socket.once('lobby', resolve));
  const find = (id: string) => latest.find((lobby) => lobby.id === id);
  return {
    lobbies: () => latest,
    find,
    changes,
    until: async (ids, isRight, withinMs) => {
      const startedMs = Date.now();
      while (Date.now() - startedMs < withinMs) {
        const isAllRight = ids.every((id) => {
          const lobby = find(id);
          return lobby !== undefined && isRight(lobby);
        });
        if (isAllRight) return Date.now() - startedMs;
        await sleep(50);
      }
      return Number.POSITIVE_INFINITY;
    },
    close: () => {
      clearInterval(timer);
      socket.disconnect();
    },
  };
}

// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useGatheringStore } from '../shared/stores/gathering-store.ts';
import { openMenuSocket } from './menu-socket.ts';

type Handler = (payload?: unknown) => void;

/** The page's end of a socket, with the test at the other end. */
const socket = vi.hoisted(() => {
  const handlers = new Map<string, Handler>();
  return {
    connected: true,
    on: (event: string, handler: Handler) => handlers.set(event, handler),
    hear: (event: string, payload?: unknown) => handlers.get(event)!(payload),
    emit: vi.fn(),
    disconnect: vi.fn(() => socket),
    connect: vi.fn(),
    removeAllListeners: vi.fn(),
  };
});
vi.mock('socket.io-client', () => ({ io: () => socket }));

const update = { lobbyId: 'lobby', totalPlayers: 0, totalBots: 0, poolTotal: '0', pool: '0', baseGame: null };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', async () => Response.error());
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

const ignore = () => {};
const open = () =>
  openMenuSocket({
    onLobbies: ignore,
    onLobbyUpdate: ignore,
    onLeaderboard: ignore,
    onProfile: ignore,
    onGameEnded: ignore,
    onSessionWarning: ignore,
  });

test('a connection that falls silent is replaced, and one that has nothing to tell is kept', () => {
  const menu = open();
  socket.hear('connect');
  vi.advanceTimersByTime(60_000);
  expect(socket.connect).not.toHaveBeenCalled();
  for (let second = 0; second < 20; second += 2) {
    socket.hear('lobby_update', update);
    vi.advanceTimersByTime(2_000);
  }
  expect(socket.connect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(5_000);
  expect(socket.connect).not.toHaveBeenCalled();
  vi.advanceTimersByTime(6_000);
  expect(socket.connect).toHaveBeenCalledOnce();
  menu.dispose();
});

test('a wait that ended while the line was broken is forgotten, and one that goes on is kept', () => {
  const waiting = { state: 'waiting', lobbyId: '7b0a2f0e-6a3c-4c5d-9a53-5a1a3f6f2d11' } as const;
  const menu = open();
  useGatheringStore.getState().set(waiting);
  socket.hear('connect');
  vi.advanceTimersByTime(2_000);
  socket.hear('gathering', waiting);
  vi.advanceTimersByTime(60_000);
  expect(useGatheringStore.getState().own).toEqual(waiting);
  socket.hear('connect');
  vi.advanceTimersByTime(7_000);
  expect(useGatheringStore.getState().own).toBeUndefined();
  menu.dispose();
});

import { lobbyId } from '@engulf/domain/ids/entity-ids';
import type { Lobby, LobbyUpdate } from '@engulf/protocol/lobby';
import {
  LEADERBOARD_PERIODS,
  type LeaderboardPeriod,
  type MenuLeaderboard,
} from '@engulf/protocol/menu/leaderboard';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { MenuCopy } from './menu-copy.ts';
import { type MenuFeed, openMenuFeed } from './menu-feed.ts';

type RawSocket = Parameters<MenuFeed['add']>[0];

let updates: readonly LobbyUpdate[];
let list: Lobby[];
let boards: { [period in LeaderboardPeriod['event']]: MenuLeaderboard };
let feed: MenuFeed;
let added: RawSocket | undefined;

beforeEach(() => {
  vi.useFakeTimers();
  updates = [];
  list = [];
  boards = { '1d': [], '7d': [], '30d': [] };
  const leaderboard = ({ event }: LeaderboardPeriod) => boards[event];
  feed = openMenuFeed({
    announced: () => list,
    updates: () => updates,
    leaderboard,
  } as unknown as MenuCopy);
});
afterEach(() => {
  feed.close();
  vi.useRealTimers();
});

const lobbyUpdate = (totalPlayers: number): LobbyUpdate => ({
  lobbyId: lobbyId('dish'),
  totalPlayers,
  totalBots: 0,
  poolTotal: '0',
  baseGame: null,
  pool: '0.000',
});

/** A socket that polls, so that every event can be read as text. Counts its writes by the turn. */
function addSocket() {
  const events: string[] = [];
  const socket = {
    transport: { name: 'polling' },
    writeBuffer: [],
    write: (text: string) => events.push(text),
  };
  added = socket as unknown as RawSocket;
  feed.add(added);
  return events;
}

/** A socket that takes a turn's events as one write. */
function addWebSocket() {
  const writes: Buffer[] = [];
  const stream = { writableLength: 0, write: (frames: Buffer) => writes.push(frames) };
  feed.add({
    transport: { name: 'websocket', socket: { readyState: 1, OPEN: 1, _socket: stream } },
    readyState: 'open',
    writeBuffer: [],
  } as unknown as RawSocket);
  return writes;
}

const say = (id: number) =>
  feed.post('lobby:chat:message', {
    id: String(id),
    sender: 'Wobble',
    lobbyId: 'global',
    user_id: null,
    message: 'hi',
    avatarUrl: null,
    timestamp: 0,
    type: 'user',
  });

test('what an operator changes reaches everyone once, within a tenth of a second', () => {
  const sockets = Array.from({ length: 30 }, addSocket);
  vi.advanceTimersByTime(1_000);
  for (const events of sockets) events.length = 0;
  list = [{ name: 'Night Shift' } as Lobby];
  vi.advanceTimersByTime(100);
  for (const events of sockets) expect(events).toEqual([expect.stringContaining('Night Shift')]);
  vi.advanceTimersByTime(1_000);
  for (const events of sockets) expect(events).toHaveLength(1);
});

test('a single message reaches everyone within a tenth of a second', () => {
  const sockets = Array.from({ length: 30 }, addSocket);
  say(1);
  vi.advanceTimersByTime(100);
  for (const events of sockets) expect(events).toHaveLength(1);
});

test('a thousand sockets get one message within a second', () => {
  const sockets = Array.from({ length: 1_000 }, addWebSocket);
  for (const pauseMs of [0, 1_000]) {
    vi.advanceTimersByTime(2_000 + pauseMs);
    say(1);
    vi.advanceTimersByTime(1_000);
    for (const writes of sockets) expect(writes.splice(0)).toHaveLength(1);
  }
});

test('a thousand sockets get twenty messages a second in one write every two seconds each', () => {
  const sockets = Array.from({ length: 1_000 }, addWebSocket);
  for (let id = 0; id < 200; id++) {
    say(id);
    vi.advanceTimersByTime(50);
  }
  vi.advanceTimersByTime(2_000);
  for (const writes of sockets) {
    expect(writes.length).toBeLessThanOrEqual(7);
    expect(String(Buffer.concat(writes)).match(/"id":"\d+"/g)).toHaveLength(200);
  }
});

test('a flood is cut to what people can read, the newest of it', () => {
  const events = addSocket();
  for (let id = 0; id < 500; id++) say(id);
  vi.advanceTimersByTime(1_000);
  expect(events).toHaveLength(50);
  expect(events.at(-1)).toContain('"id":"499"');
});

test('a lobby is repeated at least every two seconds, and every second while it changes', () => {
  const events = addSocket();
  const pass = (players: number) => {
    updates = [lobbyUpdate(players)];
    vi.advanceTimersByTime(1_000);
  };
  for (let second = 0; second < 10; second++) pass(5);
  expect(events).toHaveLength(5);
  for (let second = 0; second < 10; second++) pass(second);
  expect(events.length).toBeGreaterThanOrEqual(14);
});

test('among a thousand sockets a lobby is sent every two seconds, whether it changes or not', () => {
  const sockets = Array.from({ length: 1_000 }, addWebSocket);
  for (let second = 0; second < 10; second++) {
    updates = [lobbyUpdate(second)];
    vi.advanceTimersByTime(1_000);
  }
  for (const writes of sockets) expect(writes).toHaveLength(5);
});

test('a leaderboard that was asked for is sent at once', () => {
  const events = addSocket();
  boards['7d'] = aBoard('0.1');
  feed.sendLeaderboard(added!, LEADERBOARD_PERIODS[1]);
  expect(events).toEqual([`2["leaderboard:7d",${JSON.stringify(boards['7d'])}]`]);
});

const aBoard = (totalWinningText: string): MenuLeaderboard => [
  { _id: 'u1', player: { avatarUrl: null, name: 'Wobble' }, totalWinningAmount: '1', totalWinningText },
];

test('a leaderboard is sent when it changes, at most once a second and however much is said', () => {
  const events = addSocket();
  vi.advanceTimersByTime(5_000);
  expect(events).toHaveLength(0);
  boards['7d'] = aBoard('0.1');
  for (let id = 0; id < 500; id++) say(id);
  vi.advanceTimersByTime(1_000);
  const sent = () => events.filter((event) => event.includes('leaderboard'));
  expect(sent()).toHaveLength(1);
  expect(sent()[0]).toContain('leaderboard:7d');
  for (let change = 0; change < 30; change++) {
    boards['7d'] = aBoard(String(change));
    vi.advanceTimersByTime(100);
  }
  expect(sent()).toHaveLength(4);
  vi.advanceTimersByTime(5_000);
  expect(sent().at(-1)).toContain('"totalWinningText":"29"');
  expect(sent().length).toBeLessThanOrEqual(5);
});

test('among a thousand sockets a leaderboard that keeps changing is sent every ten seconds', () => {
  const sockets = Array.from({ length: 1_000 }, addWebSocket);
  vi.advanceTimersByTime(10_000);
  for (const writes of sockets) writes.length = 0;
  for (let second = 0; second < 30; second++) {
    boards['7d'] = aBoard(String(second));
    vi.advanceTimersByTime(1_000);
  }
  for (const writes of sockets)
    expect(String(Buffer.concat(writes)).match(/leaderboard:7d/g)).toHaveLength(3);
});

test('a socket is added once, and gone once it is removed', () => {
  const events = addSocket();
  for (let nth = 0; nth < 9; nth++) expect(feed.add(added!)).toBe(false);
  feed.remove(added!);
  expect(vi.getTimerCount()).toBe(0);
  addSocket();
  say(1);
  vi.advanceTimersByTime(2_000);
  expect(events).toEqual([]);
});

test('nothing runs while there is no socket, and messages of that time are left to the history', () => {
  expect(vi.getTimerCount()).toBe(0);
  say(1);
  const events = addSocket();
  expect(vi.getTimerCount()).toBe(1);
  say(2);
  vi.advanceTimersByTime(1_000);
  expect(events.filter((event) => event.includes('lobby:chat:message'))).toHaveLength(1);
});

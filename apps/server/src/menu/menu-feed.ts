import type { MenuServerToClient } from '@engulf/protocol/menu/events';
import {
  LEADERBOARD_PERIODS,
  type LeaderboardPeriod,
  type MenuLeaderboard,
} from '@engulf/protocol/menu/leaderboard';
import { type EncodedEvent, type EventOf, encodeEvent } from './event-frames.ts';
import type { MenuCopy } from './menu-copy.ts';
import { type RawSocket, writeEvents } from './write-events.ts';

/** Pushes to all menu sockets. */
export type MenuFeed = {
  /** False if it is there already. */
  add(socket: RawSocket): boolean;
  remove(socket: RawSocket): void;
  /** Answers one socket at once. */
  sendLeaderboard(socket: RawSocket, period: LeaderboardPeriod): void;
  /** Sent with the next turn of each group. */
  post<Name extends keyof MenuServerToClient>(name: Name, payload: EventOf<Name>): void;
  close(): void;
};

/*
 * Writing to a socket costs more than everything else here (a system call, 25 µs), so each gets what there is in one
 * write per turn. A group has ten turns a second while there are few sockets, and fewer when there are many; the groups
 * take turns, so that no moment has all the work.
 */
const GROUPS = 10;
const TURN_MS = 100;
/** Turns between two updates of lobbies and leaderboards: one second. */
const UPDATE_TURNS = 10;
/** Divisors of `UPDATE_TURNS`, by the number of sockets up to which they hold. */
const SPACINGS = [
  { sockets: 100, turns: 1, isCrowded: false },
  { sockets: 250, turns: 2, isCrowded: false },
  { sockets: 500, turns: 5, isCrowded: false },
  { sockets: Number.POSITIVE_INFINITY, turns: UPDATE_TURNS, isCrowded: true },
] as const;
/** Nobody can read more than this in a second; older messages are in the history. */
const MAX_WAITING = 50;
/**
 * All lobbies are sent at this interval, because a lobby counts as offline after five seconds of silence. In between,
 * those that changed are sent; with many sockets only chat messages, and those not in two turns in a row.
 */
const REPEATED_EVERY = 2;
/** Seconds between two leaderboards with many sockets: all three have 25 KB and change with every cash-out. */
const BOARDS_EVERY = 10;

type Group = {
  readonly sockets: Set<RawSocket>;
  waiting: EncodedEvent[];
  /** Whether the last turn sent chat messages. */
  hasTalked: boolean;
  /** How many there have been. */
  seconds: number;
  /** The list of lobbies that the group has. */
  list: ReturnType<MenuCopy['announced']>;
  /** The leaderboards that the group has. */
  boards: readonly EncodedEvent[];
};

export function openMenuFeed(copy: MenuCopy): MenuFeed {
  const leaderboard = createEncodedBoards(copy);
  const leaderboards = () => LEADERBOARD_PERIODS.map(leaderboard);
  const groups = Array.from(
    { length: GROUPS },
    (): Group => ({
      sockets: new Set(),
      waiting: [],
      hasTalked: false,
      seconds: 0,
      list: copy.announced(),
      boards: leaderboards(),
    }),
  );
  const groupOf = new Map<RawSocket, Group>();
  const lobbyUpdates = createLobbyUpdates(copy);
  const lobbyList = createEncodedList(copy);
  let turn = 0;
  /** Runs only while there is a socket. */
  let timer: ReturnType<typeof setInterval> | undefined;
  const addBoards = (group: Group, events: EncodedEvent[]) => {
    const boards = leaderboards();
    events.push(...boards.filter((board) => !group.boards.includes(board)));
    group.boards = boards;
  };
  /** What an operator changes reaches everybody with the next turn. */
  const addList = (group: Group, events: EncodedEvent[]) => {
    if (group.list === copy.announced()) return;
    group.list = copy.announced();
    events.push(lobbyList());
  };
  const takeEvents = (group: Group, isUpdate: boolean, isCrowded: boolean): readonly EncodedEvent[] => {
    const second = group.seconds;
    if (isUpdate) group.seconds++;
    const isWhole = isUpdate && second % REPEATED_EVERY === 0;
    const isSkipped = isCrowded && !isWhole && group.hasTalked;
    group.hasTalked = !isSkipped && group.waiting.length > 0;
    if (isSkipped) return [];
    const events = group.waiting;
    group.waiting = [];
    addList(group, events);
    if (isWhole) events.push(...lobbyUpdates().all);
    else if (isUpdate && !isCrowded) events.push(...lobbyUpdates().changed);
    if (isUpdate && (!isCrowded || second % BOARDS_EVERY === 0)) addBoards(group, events);
    return events;
  };
  const takeTurn = () => {
    turn++;
    const { turns, isCrowded } = SPACINGS.find(({ sockets }) => groupOf.size <= sockets)!;
    for (const [index, group] of groups.entries()) {
      if ((turn + index) % turns !== 0) continue;
      const events = takeEvents(group, (turn + index) % UPDATE_TURNS === 0, isCrowded);
      if (events.length > 0) writeEvents(group.sockets, events);
    }
  };
  return {
    add: (socket) => {
      if (groupOf.has(socket)) return false;
      const group = groups.reduce((least, other) =>
        other.sockets.size < least.sockets.size ? other : least,
      );
      group.sockets.add(socket);
      groupOf.set(socket, group);
      timer ??= setInterval(takeTurn, TURN_MS);
      return true;
    },
    remove: (socket) => {
      groupOf.get(socket)?.sockets.delete(socket);
      groupOf.delete(socket);
      if (groupOf.size > 0) return;
      clearInterval(timer);
      timer = undefined;
      for (const group of groups) group.waiting = [];
    },
    sendLeaderboard: (socket, period) => writeEvents([socket], [leaderboard(period)]),
    post: (name, payload) => {
      if (groupOf.size === 0) return;
      const event = encodeEvent(name, payload);
      for (const group of groups) {
        group.waiting.push(event);
        if (group.waiting.length > MAX_WAITING) group.waiting.shift();
      }
    },
    close: () => clearInterval(timer),
  };
}

/** The list of lobbies, encoded once for all groups. */
function createEncodedList(copy: MenuCopy): () => EncodedEvent {
  const encoded = new WeakMap<ReturnType<MenuCopy['announced']>, EncodedEvent>();
  return () => {
    const list = copy.announced();
    const event = encoded.get(list) ?? encodeEvent('lobby', list);
    encoded.set(list, event);
    return event;
  };
}

type LobbyUpdates = { readonly all: readonly EncodedEvent[]; readonly changed: readonly EncodedEvent[] };

/** Encodes the updates when the menu has read them again, once for all groups. */
function createLobbyUpdates(copy: MenuCopy): () => LobbyUpdates {
  let source: ReturnType<MenuCopy['updates']> | undefined;
  let current: LobbyUpdates = { all: [], changed: [] };
  return () => {
    if (source === copy.updates()) return current;
    source = copy.updates();
    const known = new Set(current.all.map(({ packet }) => packet));
    const all = source.map((update) => encodeEvent('lobby_update', update));
    current = { all, changed: all.filter(({ packet }) => !known.has(packet)) };
    return current;
  };
}

/** Leaderboards, each encoded once and the same event as long as it does not change. */
function createEncodedBoards(copy: MenuCopy): (period: LeaderboardPeriod) => EncodedEvent {
  const encoded = new WeakMap<MenuLeaderboard, EncodedEvent>();
  return (period) => {
    const board = copy.leaderboard(period);
    const event = encoded.get(board) ?? encodeEvent(`leaderboard:${period.event}`, board);
    encoded.set(board, event);
    return event;
  };
}

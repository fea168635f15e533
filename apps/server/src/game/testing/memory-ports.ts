import { setTimeout as sleep } from 'node:timers/promises';
import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import {
  type EntryId,
  entryId,
  type LobbyId,
  lobbyId,
  type UserId,
  userId,
} from '@engulf/domain/ids/entity-ids';
import { baseUnits, SOL, USD } from '@engulf/domain/money/amount';
import type {
  EntryOutcome,
  GameLobby,
  GamePorts,
  LobbyLive,
  SavedMatch,
  Seat,
  Settlement,
} from '../ports.ts';

/** The rest of the server, as far as a room can tell: tickets, and a ledger that lets nobody overdraw. */
export type MemoryPorts = GamePorts & {
  lobbies: GameLobby[];
  readonly tickets: Map<string, Seat>;
  readonly seats: Map<EntryId, Seat>;
  readonly settled: Map<EntryId, EntryOutcome>;
  /** How often each entry was asked to be settled. */
  readonly settleCalls: Map<EntryId, number>;
  readonly balances: Map<EntryId | LobbyId, bigint>;
  readonly live: Map<LobbyId, LobbyLive>;
  readonly matches: SavedMatch[];
  /** What a real ledger would have refused. */
  readonly faults: string[];
  /** Set to make the next settlements fail. */
  failuresLeft: number;
};

const SETTLE_MS = 20;
let counter = 0;

export function createMemoryPorts(lobbies: GameLobby[]): MemoryPorts {
  const ports: MemoryPorts = {
    lobbies,
    tickets: new Map(),
    seats: new Map(),
    settled: new Map(),
    settleCalls: new Map(),
    balances: new Map(),
    live: new Map(),
    matches: [],
    faults: [],
    failuresLeft: 0,
    listLobbies: async () => ports.lobbies,
    redeemTicket: async (ticket, lobby) => {
      const seat = ports.tickets.get(ticket);
      if (!seat || seat.lobby.id !== lobby) return refuse('JOIN_TICKET_INVALID');
      ports.tickets.delete(ticket);
      if (!ports.seats.has(seat.entryId)) ports.balances.set(seat.entryId, seat.stake);
      ports.seats.set(seat.entryId, seat);
      return ok(seat);
    },
    identify: async (cookie) => {
      const name = cookie?.match(/^engulf_session=((?:watcher|user)-\d+)$/)?.[1];
      return name === undefined ? undefined : { userId: userId(name), name };
    },
    readSpill: async (lobby) => ports.balances.get(lobby) ?? 0n,
    recordBountyMoves: (lobby, moves) => {
      for (const { from, to, amount } of moves) transfer(ports, from === 'spill' ? lobby : from, to, amount);
    },
    settleEntry: (entry, outcome) => settle(ports, entry, outcome),
    saveMatch: async (match) => void ports.matches.push(match),
    setLobbyLive: (lobby, live) => void ports.live.set(lobby, live),
  };
  return ports;
}

/** What `identify` takes for a signed-in user. */
export function cookieOf(user: UserId): string {
  return `engulf_session=${user}`;
}

/** The cookie of somebody who has no entry anywhere. */
export function newWatcherCookie(): string {
  counter++;
  return cookieOf(userId(`watcher-${counter}`));
}

/** A ticket for a new entry, or another one for an entry that is being played. */
export function issueTicket(ports: MemoryPorts, lobby: GameLobby, entry?: EntryId) {
  counter++;
  const seat: Seat = {
    entryId: entry ?? entryId(`entry-${counter}`),
    userId: userId(`user-${counter}`),
    name: `player-${counter}`,
    avatarUrl: null,
    isAdmin: false,
    lobby,
    stake: lobby.multiplierBasis,
    isFree: lobby.isFree,
  };
  const ticket = `ticket-${counter}`;
  ports.tickets.set(ticket, seat);
  return { ticket, seat };
}

export function freeLobby(changes: Partial<GameLobby> = {}): GameLobby {
  counter++;
  return {
    id: lobbyId(`lobby-${counter}`),
    name: 'Petri',
    lobbyType: 'free',
    isFree: true,
    token: USD,
    entryFee: baseUnits(0n),
    multiplierBasis: baseUnits(1_000_000n),
    maxPlayers: 10,
    botCount: 0,
    isLocked: false,
    dailyOpenWindows: null,
    ...changes,
  };
}

export function paidLobby(changes: Partial<GameLobby> = {}): GameLobby {
  const fee = baseUnits(50_000_000n);
  return {
    ...freeLobby(),
    lobbyType: 'normal',
    isFree: false,
    token: SOL,
    entryFee: fee,
    multiplierBasis: fee,
    ...changes,
  };
}

async function settle(ports: MemoryPorts, entry: EntryId, outcome: EntryOutcome): Promise<Settlement> {
  ports.settleCalls.set(entry, (ports.settleCalls.get(entry) ?? 0) + 1);
  await sleep(SETTLE_MS);
  if (ports.failuresLeft > 0) {
    ports.failuresLeft -= 1;
    throw new Error('The database is away');
  }
  const known = ports.settled.get(entry);
  if (known) return { amount: baseUnits(known.amount), isNew: false };
  ports.settled.set(entry, outcome);
  if (!ports.seats.get(entry)!.isFree) payOut(ports, entry, outcome);
  return { amount: baseUnits(outcome.amount), isNew: true };
}

function payOut(ports: MemoryPorts, entry: EntryId, { kind, amount }: EntryOutcome): void {
  const { balances, faults, seats } = ports;
  const carried = balances.get(entry)!;
  const isRight = kind === 'forfeit' ? amount <= carried : amount === carried;
  if (!isRight) faults.push(`${entry} ends as ${kind} with ${amount}, but carries ${carried}`);
  transfer(ports, entry, seats.get(entry)!.lobby.id, carried - amount);
  balances.set(entry, 0n);
}

function transfer(
  { balances, faults }: MemoryPorts,
  from: EntryId | LobbyId,
  to: EntryId | LobbyId,
  amount: bigint,
): void {
  const available = balances.get(from) ?? 0n;
  if (available < amount) faults.push(`${from} has ${available}, not ${amount}`);
  balances.set(from, available - amount);
  balances.set(to, (balances.get(to) ?? 0n) + amount);
}

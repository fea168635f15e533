import { setImmediate as nextTurn } from 'node:timers/promises';
import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import {
  type EntryId,
  entryId,
  type LobbyId,
  type MatchId,
  matchId,
  type UserId,
  userId,
} from '@engulf/domain/ids/entity-ids';
import { baseUnits, usdValue as usdValueOf } from '@engulf/domain/money/amount';
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { keysUpTo, lastSecret, numberedKey } from '@engulf/sim/keys';
import { NO_BOND } from '@engulf/sim/recording/header';
import type {
  BountyMove,
  EndedMatch,
  EntryOutcome,
  GameLobby,
  GamePorts,
  LeavingMatch,
  LobbyLive,
  MatchOrigin,
  Seat,
  Settlement,
} from '../../src/game/ports.ts';

/** The rest of the server in memory: tickets, and a ledger that notes every overdraft. */
export type MemoryPorts = GamePorts & {
  lobbies: GameLobby[];
  readonly tickets: Map<string, Seat>;
  readonly seats: Map<EntryId, Seat>;
  readonly settled: Map<EntryId, EntryOutcome>;
  /** How often each entry's settlement was requested. */
  readonly settleCalls: Map<EntryId, number>;
  readonly balances: Map<EntryId | LobbyId, bigint>;
  readonly live: Map<LobbyId, LobbyLive>;
  /** Lobbies whose room runs in another process. */
  readonly leasedElsewhere: Set<LobbyId>;
  /** What was recorded of each match: the header and the segments. */
  readonly recordings: Map<
    MatchId,
    { readonly header: Uint8Array | undefined; readonly segments: Uint8Array[] }
  >;
  /** Ended matches. */
  readonly matches: EndedMatch[];
  /** The newest slot, while a node answers, and the block of a slot. */
  newestSlot: bigint | undefined;
  /** Of the block of every match. */
  originSlot: bigint | undefined;
  beaconOf: (slot: bigint) => Uint8Array | undefined;
  /** While true, the block that matches depend on does not exist yet. */
  isBlockMissing: boolean;
  /** What a real ledger would have refused. */
  readonly faults: string[];
  /** The next writes that fail as if the database were gone. They are retried. */
  failuresLeft: number;
  /** Undefined while no price is known. */
  microUsdPerToken: bigint | undefined;
  /** Matches on their way to another process, which is this one again. */
  readonly handedOver: LeavingMatch[];
  /** What the next segments are answered with. */
  receipt: RoomServerPayload<'receipt'> | undefined;
  /** Matches that could not be resumed. */
  readonly abandoned: MatchId[];
  /** How many matches others would take over. */
  takersLeft: number;
  /** Names of users whose cookies no longer count. */
  readonly signedOut: Set<string>;
  readonly banned: Set<UserId>;
  /** How many wrong lobby codes may still be tried, and who has tried some. */
  guessesLeft: number;
  readonly guessers: { readonly userId: UserId; readonly address: string }[];
};

/** Of every match, with the keys that follow from it. */
const MATCH_SECRET = numberedKey(0);
export const MATCH_KEY = keysUpTo(lastSecret(MATCH_SECRET), null);

/** Of every semi-private lobby. */
export const LOBBY_CODE = 'AMOEBA';

let counter = 0;

export function createMemoryPorts(lobbies: GameLobby[]): MemoryPorts {
  /** Per lobby: resolves when its last write is done. */
  const tails = new Map<LobbyId, Promise<unknown>>();
  const write = <Answer>(lobbyId: LobbyId, work: () => Answer): Promise<Answer> => {
    const written = (tails.get(lobbyId) ?? Promise.resolve()).then(async () => {
      await nextTurn();
      for (; ports.failuresLeft > 0; ports.failuresLeft--) await nextTurn();
      return work();
    });
    tails.set(
      lobbyId,
      written.catch(() => undefined),
    );
    return written;
  };
  const commitments = new Map<MatchId, Uint8Array>();
  const originOf = (id: MatchId): MatchOrigin => {
    const { originSlot: slot } = ports;
    const publicPart = slot === undefined ? null : { slot, blockhash: numberedKey(Number(slot)) };
    return { id, commitment: commitments.get(id)!, publicPart, bond: NO_BOND, secret: MATCH_SECRET };
  };
  const ports: MemoryPorts = {
    lobbies,
    tickets: new Map(),
    seats: new Map(),
    settled: new Map(),
    settleCalls: new Map(),
    balances: new Map(),
    live: new Map(),
    leasedElsewhere: new Set(),
    recordings: new Map(),
    matches: [],
    isBlockMissing: false,
    newestSlot: undefined,
    originSlot: undefined,
    beaconOf: () => undefined,
    readNewestSlot: async () => ports.newestSlot,
    findBeacon: async (slot) => {
      const blockhash = ports.beaconOf(slot);
      return blockhash && { slot, blockhash };
    },
    faults: [],
    failuresLeft: 0,
    microUsdPerToken: undefined,
    signedOut: new Set(),
    banned: new Set(),
    guessesLeft: Number.POSITIVE_INFINITY,
    guessers: [],
    findBanned: async (userIds) => userIds.filter((id) => ports.banned.has(id)),
    listLobbies: async () => ports.lobbies,
    takeLease: async (lobbyId) => !ports.leasedElsewhere.has(lobbyId),
    releaseLease: async () => undefined,
    redeemTicket: async (ticket, lobbyId) => {
      const seat = ports.tickets.get(ticket);
      if (!seat || seat.lobby.id !== lobbyId) return refuse('JOIN_TICKET_INVALID');
      ports.tickets.delete(ticket);
      if (!ports.seats.has(seat.entryId)) ports.balances.set(seat.entryId, seat.stake);
      ports.seats.set(seat.entryId, seat);
      return ok(seat);
    },
    identify: async (cookie) => {
      const name = cookie?.match(/^engulf_session=((?:watcher|user)-\d+)$/)?.[1];
      return name === undefined || ports.signedOut.has(name) ? undefined : { userId: userId(name), name };
    },
    checkLobbyCode: async (_lobbyId, code, guesser) => {
      if (ports.guessesLeft <= 0) return refuse('RATE_LIMITED');
      if (code === LOBBY_CODE) return ok(undefined);
      ports.guessesLeft--;
      ports.guessers.push(guesser);
      return refuse('INVALID_LOBBY_CODE');
    },
    readSpill: async (lobbyId) => ports.balances.get(lobbyId) ?? 0n,
    recordBountyMoves: (lobbyId, moves) => void write(lobbyId, () => move(ports, lobbyId, moves)),
    settleEntry: (lobbyId, entry, outcome) => {
      ports.settleCalls.set(entry, (ports.settleCalls.get(entry) ?? 0) + 1);
      return write(lobbyId, () => settle(ports, entry, outcome));
    },
    prepareMatch: async () => {
      if (ports.isBlockMissing) return undefined;
      const id = matchId(`match-${++counter}`);
      commitments.set(id, numberedKey(counter));
      return originOf(id);
    },
    recordPart: async (id, kind, body) => {
      const { header, segments } = ports.recordings.get(id) ?? { header: undefined, segments: [] };
      if (kind === 'segment') segments.push(body);
      ports.recordings.set(id, { header: kind === 'header' ? body : header, segments });
      return ports.receipt;
    },
    handedOver: [],
    receipt: undefined,
    startLeaving: async () => true,
    handOver: async (match) => {
      if (ports.takersLeft-- <= 0) return undefined;
      ports.handedOver.push(match);
      return {
        baseGame: 'https://next.example',
        tickets: new Map(match.entryIds.map((id) => [id, `to ${id}`])),
      };
    },
    takeOver: async () => {
      const matches = ports.handedOver.splice(0).map(({ id, lobbyId, entryIds, state }) => ({
        lobby: ports.lobbies.find((lobby) => lobby.id === lobbyId)!,
        origin: originOf(id),
        seats: entryIds.map((entry) => ({ ...ports.seats.get(entry)!, isReturn: true })),
        state,
      }));
      return { matches, isNearby: false };
    },
    abandonMatch: async (id) => void ports.abandoned.push(id),
    takersLeft: 0,
    abandoned: [],
    closeMatch: async (match) => void ports.matches.push(match),
    setLobbyLive: (lobbyId, live) => void ports.live.set(lobbyId, live),
  };
  return ports;
}

/** The cookie of a signed-in user. */
export function cookieOf(user: UserId): string {
  return `engulf_session=${user}`;
}

/** The cookie of a signed-in user without an entry anywhere. */
export function newWatcherCookie(): string {
  counter++;
  return cookieOf(userId(`watcher-${counter}`));
}

/** A ticket for a new entry of a new or known user, or another one for an entry that is being played. */
export function issueTicket(ports: MemoryPorts, lobby: GameLobby, entry?: EntryId, user?: UserId) {
  counter++;
  const seat: Seat = {
    entryId: entry ?? entryId(`entry-${counter}`),
    userId: user ?? userId(`user-${counter}`),
    name: `player-${counter}`,
    avatarUrl: null,
    isAdmin: false,
    lobby,
    stake: lobby.multiplierBasis,
    isFree: lobby.isFree,
    isReturn: entry !== undefined,
    isNewcomer: false,
  };
  const ticket = `ticket-${counter}`;
  ports.tickets.set(ticket, seat);
  return { ticket, seat };
}

function settle(ports: MemoryPorts, entry: EntryId, outcome: EntryOutcome): Settlement {
  const seat = ports.seats.get(entry);
  if (!seat) throw new Error(`There is no entry ${entry}`);
  const known = ports.settled.get(entry);
  const usdValue = worthOf(ports, seat, known ?? outcome);
  if (known) return { amount: baseUnits(known.amount), usdValue, isNew: false, kind: known.kind };
  ports.settled.set(entry, outcome);
  if (!seat.isFree) payOut(ports, seat, outcome);
  return { amount: baseUnits(outcome.amount), usdValue, isNew: true };
}

function worthOf(
  { microUsdPerToken }: MemoryPorts,
  { lobby }: Seat,
  { amount }: EntryOutcome,
): bigint | null {
  if (lobby.isFree) return amount;
  return microUsdPerToken === undefined ? null : usdValueOf(amount, lobby.token, microUsdPerToken);
}

function payOut(ports: MemoryPorts, { entryId: entry, lobby }: Seat, { kind, amount }: EntryOutcome): void {
  const { balances, faults } = ports;
  const carried = balances.get(entry)!;
  const isRight = kind === 'forfeit' ? amount <= carried : amount === carried;
  if (!isRight) faults.push(`${entry} ends as ${kind} with ${amount}, but carries ${carried}`);
  transfer(ports, entry, lobby.id, carried - amount);
  balances.set(entry, 0n);
}

function move(ports: MemoryPorts, lobbyId: LobbyId, moves: readonly BountyMove[]): void {
  for (const { from, to, amount } of moves) {
    transfer(ports, from === 'spill' ? lobbyId : from, to, amount);
  }
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

import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { baseUnits } from '@engulf/domain/money/amount';
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { findSessionUser, readSessionToken } from '../accounts/sessions.ts';
import { renewSeats } from '../entries/expire-entries.ts';
import { canBeCode, isRightCode } from '../entries/join-lobby.ts';
import { redeemTicket } from '../entries/tickets.ts';
import type { Clock, GameLobby, GamePorts, Seat } from '../game/ports.ts';
import {
  findLobby,
  isPaid,
  type LobbyRow,
  listLobbies,
  notionalStake,
  tokenOf,
} from '../lobbies/lobby-rows.ts';
import { createMatchPreparer } from '../matches/prepare-match.ts';
import { createRecordings } from '../matches/recordings.ts';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Activity } from '../platform/activity.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import type { EntryRow } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { createGuessLimits } from '../platform/fleet/guess-limits.ts';
import type { Prices } from '../prices/prices.ts';
import { createHandovers } from './handovers.ts';
import { createLeases } from './leases.ts';
import { createMatchEnds } from './match-ends.ts';
import { createMoneyLanes, type MoneyLanes } from './money-lanes.ts';

type PortOptions = {
  readonly clock?: Clock;
  readonly prices?: Pick<Prices, 'quote'>;
  /** No other process can exist. */
  readonly isAlone?: boolean;
  /** Multiplies limits per address. */
  readonly limitScale?: number;
  /** Leave it out if lobbies are also changed by others than this process's visitors. */
  readonly activity?: Pick<Activity, 'isQuiet'> | undefined;
};

/** While the server is idle. Opening hours are still kept, and only operators change a lobby. */
const QUIET_READ_MS = 20_000;

/**
 * The game's ports on the real database. The rooms may be in a process that an attacker controls, so they are heard only
 * about the lobbies and matches that they were given.
 */
export function createGamePorts(
  context: Context,
  options: PortOptions = {},
): { ports: GamePorts; lanes: MoneyLanes } {
  const leases = createLeases(context, options.clock ?? systemClock);
  const lanes = createMoneyLanes(context, leases.owns, options);
  const clock = options.clock ?? systemClock;
  const preparer = createMatchPreparer(context, clock);
  const recordings = createRecordings(context, clock);
  const ends = createMatchEnds(context, { recordings, leases, clock });
  const guesses = createGuessLimits(context.rateLimits);
  /** The latest match of each lobby, which newcomers join. */
  const running = new Map<LobbyId, MatchId>();
  const freeLobbies = new Set<LobbyId>();

  const noteMatch = ({ id, isFree }: GameLobby, matchId: MatchId): void => {
    running.set(id, matchId);
    if (isFree) freeLobbies.add(id);
  };
  const readLobby = async (tx: Database, lobbyId: LobbyId) => toGameLobby((await findLobby(tx, lobbyId))!);
  const handovers = createHandovers(context, {
    leases,
    lanes,
    recordings,
    readLobby,
    readSeats,
    onTaken: ({ lobby, origin }) => noteMatch(lobby, origin.id),
    isAlone: options.isAlone ?? false,
  });

  const roomOf = (lobbyId: LobbyId) => ({
    lobbyId,
    matchId: running.get(lobbyId),
    isOurs: (tx: Database) => leases.owns(tx, lobbyId),
  });

  const ports: GamePorts = {
    listLobbies: createLobbyReader(context, clock, options.activity),
    takeLease: leases.take,
    releaseLease: (lobbyId) => {
      preparer.forget(lobbyId);
      return leases.release(lobbyId, ends.waiting());
    },
    redeemTicket: async (ticket, lobbyId) => {
      const seat = await redeemTicket(context, ticket, roomOf(lobbyId), readSeat);
      if (seat.ok && seat.value.isFree) freeLobbies.add(lobbyId);
      return seat;
    },
    identify: async (cookieHeader) => {
      const token = readSessionToken(cookieHeader);
      const user = token === undefined ? undefined : await findSessionUser(context, token);
      return user && { userId: user.id, name: user.name };
    },
    findBanned: async (userIds) => {
      const isBanned = and(inArray(users.id, [...userIds]), isNotNull(users.bannedAt));
      const banned = await context.db.select({ id: users.id }).from(users).where(isBanned);
      return banned.map(({ id }) => id);
    },
    checkLobbyCode: async (lobbyId, code, { userId, address }) => {
      if (!canBeCode(code)) return refuse('INVALID_LOBBY_CODE');
      const check = async () => {
        const lobby = await findLobby(context.db, lobbyId);
        return lobby && isRightCode(lobby, code) ? ok(undefined) : refuse('INVALID_LOBBY_CODE');
      };
      const client = { address, limitScale: options.limitScale ?? 1 };
      return guesses.limit({ user: { id: userId }, client }, check, (checked) => !checked.ok);
    },
    readSpill: (lobbyId) => readBalance(context.db, spillOf(lobbyId)),
    recordBountyMoves: (lobbyId, moves) => {
      // Notional money has no accounts in the ledger.
      if (!freeLobbies.has(lobbyId)) lanes.recordBountyMoves(lobbyId, moves);
    },
    settleEntry: lanes.settleEntry,
    prepareMatch: async (lobby, rules) => {
      if (!leases.holds(lobby.id)) return undefined;
      const prepared = await preparer.prepare(lobby, rules);
      if (!prepared) return undefined;
      noteMatch(lobby, prepared.id);
      await context.db.transaction(async (tx) => {
        if (await leases.owns(tx, lobby.id)) await renewSeats(context, tx, lobby.id);
      });
      return prepared;
    },
    ...handovers,
    recordPart: (matchId, kind, body) => {
      if ([...running.values()].includes(matchId)) recordings.recordPart(matchId, kind, body);
    },
    closeMatch: ends.closeMatch,
    setLobbyLive: (lobbyId, live) => {
      if (!leases.holds(lobbyId)) return;
      context.presence
        .announce(lobbyId, live)
        .catch((error: unknown) =>
          context.logger.error({ code: 'PRESENCE_FAILED', err: error, lobbyId }, 'presence not announced'),
        );
    },
  };
  return { ports, lanes };
}

/** Reads every time, unless the server is idle. */
function createLobbyReader(
  { db }: Context,
  clock: Clock,
  activity: PortOptions['activity'],
): GamePorts['listLobbies'] {
  let known: readonly GameLobby[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (activity?.isQuiet() && nowMs - readAtMs < QUIET_READ_MS) return known;
    known = (await listLobbies(db)).map(toGameLobby);
    readAtMs = nowMs;
    return known;
  };
}

async function readSeat(tx: Database, entry: EntryRow, isReturn: boolean): Promise<Seat> {
  const [user] = await tx.select().from(users).where(eq(users.id, entry.userId));
  const lobby = toGameLobby((await findLobby(tx, entry.lobbyId))!);
  return toSeat(entry, user!, lobby, isReturn);
}

/** For returning players. */
async function readSeats(tx: Database, lobby: GameLobby, playing: readonly EntryRow[]): Promise<Seat[]> {
  const userIds = playing.map(({ userId }) => userId);
  const people = await tx.select().from(users).where(inArray(users.id, userIds));
  const byId = new Map(people.map((user) => [user.id, user]));
  return playing.map((entry) => toSeat(entry, byId.get(entry.userId)!, lobby, true));
}

function toSeat(entry: EntryRow, user: UserRow, lobby: GameLobby, isReturn: boolean): Seat {
  return {
    entryId: entry.id,
    userId: entry.userId,
    name: user.name,
    avatarUrl: user.avatarUrl,
    isAdmin: user.role === 'admin',
    lobby,
    stake: baseUnits(entry.stake),
    isFree: lobby.isFree,
    isReturn,
  };
}

function toGameLobby(lobby: LobbyRow): GameLobby {
  const entryFee = baseUnits(lobby.entryFee);
  return {
    id: lobby.id,
    name: lobby.name,
    lobbyType: lobby.lobbyType,
    isFree: !isPaid(lobby),
    token: tokenOf(lobby),
    entryFee,
    multiplierBasis: isPaid(lobby) ? entryFee : notionalStake(lobby),
    maxPlayers: lobby.maxPlayers,
    botCount: lobby.botCount,
    isLocked: lobby.isLocked,
    dailyOpenWindows: lobby.dailyOpenWindows,
    drainsAtMs: lobby.drainsAtMs,
  };
}

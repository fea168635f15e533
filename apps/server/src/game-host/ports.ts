import { refuse } from '@engulf/domain/errors/registry';
import { ok } from '@engulf/domain/errors/result';
import type { LobbyId, MatchId, UserId } from '@engulf/domain/ids/entity-ids';
import { baseUnits } from '@engulf/domain/money/amount';
import { and, eq, inArray, isNotNull } from 'drizzle-orm';
import { findSessionUser, readSessionToken } from '../accounts/sessions.ts';
import { renewSeats } from '../entries/expire-entries.ts';
import { readInputsKeys } from '../entries/inputs-keys.ts';
import { canBeCode, isRightCode } from '../entries/join-lobby.ts';
import { redeemTicket } from '../entries/tickets.ts';
import type { Clock, GameLobby, GamePorts, Seat } from '../game/ports.ts';
import { callOf } from '../gathering/gatherers.ts';
import {
  findLobby,
  isPaid,
  type LobbyRow,
  listLobbies,
  notionalStake,
  tokenOf,
} from '../lobbies/lobby-rows.ts';
import { findBeacon, readNewestSlot } from '../matches/beacons.ts';
import { createEpochs } from '../matches/epochs.ts';
import { createMatchPreparer } from '../matches/prepare-match.ts';
import { createReceipts } from '../matches/receipts.ts';
import { createRecordings } from '../matches/recordings.ts';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Activity } from '../platform/activity.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { createGuessLimits } from '../platform/fleet/guess-limits.ts';
import { watchMenus } from '../platform/fleet/open-menus.ts';
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
  /** Where this process stands. */
  readonly region?: string | null;
  /** It also takes lobbies of regions without a process. */
  readonly isStandby?: boolean;
  /** Multiplies limits per address. */
  readonly limitScale?: number;
  /** Leave it out if lobbies are also changed by others than this process's visitors. */
  readonly activity?: Pick<Activity, 'isQuiet'> | undefined;
};

/** So many lives of an account are sheltered. */
const NEWCOMER_LIVES = 3;

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
  const leases = createLeases(context, options.clock ?? systemClock, options);
  const lanes = createMoneyLanes(context, leases.owns, options);
  const clock = options.clock ?? systemClock;
  const preparer = createMatchPreparer(context, clock);
  const recordings = createRecordings(context, clock);
  const receipts = createReceipts(context);
  const epochs = createEpochs(context);
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

  const readLobbies = createLobbyReader(context, leases, clock, options.activity);
  const areMenusOpen = watchMenus(context.bus, clock.monotonicMs);
  const ports: GamePorts = {
    listLobbies: async () => showOne(await readLobbies(), areMenusOpen()),
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
    readNewestSlot: (lobbyId) => readNewestSlot(context, lobbyId),
    findBeacon: (decides) => findBeacon(context, decides),
    ...handovers,
    recordPart: async (matchId, kind, body) => {
      if (![...running.values()].includes(matchId)) return undefined;
      const block = kind === 'segment' ? receipts.nameBlock(matchId) : undefined;
      const stored = await recordings.recordPart(matchId, kind, body);
      if (!stored || !block) return undefined;
      await epochs.note(matchId, stored);
      return receipts.issue(matchId, stored, await block);
    },
    closeMatch: (match) => {
      receipts.forget(match.id);
      epochs.forget(match.id);
      return ends.closeMatch(match);
    },
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

/** The first free lobby is the one that menus show. */
function showOne(lobbies: readonly GameLobby[], areMenusOpen: boolean): readonly GameLobby[] {
  const shown = areMenusOpen ? lobbies.find(({ isFree }) => isFree) : undefined;
  if (!shown) return lobbies;
  return lobbies.map((lobby) => (lobby === shown ? { ...lobby, isShown: true } : lobby));
}

/** Reads every time, unless the server is idle. */
function createLobbyReader(
  { db }: Pick<Context, 'db'>,
  leases: ReturnType<typeof createLeases>,
  clock: Clock,
  activity: PortOptions['activity'],
): GamePorts['listLobbies'] {
  let known: readonly GameLobby[] = [];
  let readAtMs = Number.NEGATIVE_INFINITY;
  return async () => {
    const nowMs = clock.monotonicMs();
    if (activity?.isQuiet() && nowMs - readAtMs < QUIET_READ_MS) return known;
    const rows = await listLobbies(db);
    const strays = await leases.look(rows);
    known = rows.map((row) => ({ ...toGameLobby(row), ...(strays.has(row.id) && { isElsewhere: true }) }));
    readAtMs = nowMs;
    return known;
  };
}

async function readSeat(tx: Database, entry: EntryRow, isReturn: boolean): Promise<Seat> {
  const [user] = await tx.select().from(users).where(eq(users.id, entry.userId));
  const lobby = toGameLobby((await findLobby(tx, entry.lobbyId))!);
  const isNewcomer = lobby.isFree && (await countLives(tx, entry.userId)) <= NEWCOMER_LIVES;
  const call = isReturn ? undefined : await callOf(tx, entry);
  const inputsKey = (await readInputsKeys(tx, [entry])).get(entry.id);
  const seat = { ...toSeat(entry, user!, lobby, isReturn, isNewcomer), inputsKey };
  if (!call) return seat;
  return { ...seat, call: { id: call.callId!, size: call.callSize!, endsAtMs: call.callEndsAt!.getTime() } };
}

/** Lives for money count as well. Including the one that begins, and no more than it takes to know. */
async function countLives(tx: Database, userId: UserId): Promise<number> {
  const begun = await tx
    .select({ id: entries.id })
    .from(entries)
    .where(and(eq(entries.userId, userId), isNotNull(entries.startedAt)))
    .limit(NEWCOMER_LIVES + 1);
  return begun.length;
}

/** For returning players, who have their bodies. */
async function readSeats(tx: Database, lobby: GameLobby, playing: readonly EntryRow[]): Promise<Seat[]> {
  const userIds = playing.map(({ userId }) => userId);
  const people = await tx.select().from(users).where(inArray(users.id, userIds));
  const byId = new Map(people.map((user) => [user.id, user]));
  const inputsKeys = await readInputsKeys(tx, playing);
  return playing.map((entry) => ({
    ...toSeat(entry, byId.get(entry.userId)!, lobby, true, false),
    inputsKey: inputsKeys.get(entry.id),
  }));
}

function toSeat(
  entry: EntryRow,
  user: UserRow,
  lobby: GameLobby,
  isReturn: boolean,
  isNewcomer: boolean,
): Seat {
  return {
    entryId: entry.id,
    userId: entry.userId,
    name: user.name,
    avatarUrl: user.avatarUrl,
    colour: user.colour,
    isAdmin: user.role === 'admin',
    lobby,
    stake: baseUnits(entry.stake),
    isFree: lobby.isFree,
    isReturn,
    isNewcomer,
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

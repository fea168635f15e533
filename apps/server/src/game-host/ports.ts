import type { LobbyId, MatchId } from '@engulf/domain/ids/entity-ids';
import { baseUnits } from '@engulf/domain/money/amount';
import { eq } from 'drizzle-orm';
import { findSessionUser, readSessionToken } from '../accounts/sessions.ts';
import { renewSeats } from '../entries/expire-entries.ts';
import { isRightCode } from '../entries/join-lobby.ts';
import { redeemTicket } from '../entries/tickets.ts';
import type { Clock, GameLobby, GamePorts, Seat } from '../game/ports.ts';
import { releaseLease, takeLease } from '../lobbies/lease.ts';
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
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import type { EntryRow } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import type { Prices } from '../prices/prices.ts';
import { createMoneyLanes, type MoneyLanes } from './money-lanes.ts';

/** The game's ports on the real database. */
export function createGamePorts(
  context: Context,
  options: { readonly clock?: Clock; readonly prices?: Pick<Prices, 'quote'> } = {},
): { ports: GamePorts; lanes: MoneyLanes } {
  const lanes = createMoneyLanes(context, options);
  const clock = options.clock ?? systemClock;
  const prepareMatch = createMatchPreparer(context, clock);
  const recordings = createRecordings(context, clock);
  /** The latest match of each lobby: whoever comes in plays in that one. */
  const running = new Map<LobbyId, MatchId>();
  const freeLobbies = new Set<LobbyId>();

  const ports: GamePorts = {
    listLobbies: async () => (await listLobbies(context.db)).map(toGameLobby),
    takeLease: (lobbyId) =>
      context.db.transaction(async (tx) => {
        const isTaken = await takeLease({ ...context, db: tx }, lobbyId);
        if (isTaken) await renewSeats(context, tx, lobbyId);
        return isTaken;
      }),
    releaseLease: (lobbyId) => releaseLease(context, lobbyId),
    redeemTicket: async (ticket, lobbyId) => {
      const seat = await redeemTicket(context, ticket, { lobbyId, matchId: running.get(lobbyId) }, readSeat);
      if (seat.ok && seat.value.isFree) freeLobbies.add(lobbyId);
      return seat;
    },
    identify: async (cookieHeader) => {
      const token = readSessionToken(cookieHeader);
      const user = token === undefined ? undefined : await findSessionUser(context, token);
      return user && { userId: user.id, name: user.name };
    },
    isLobbyCode: async (lobbyId, code) => {
      const lobby = await findLobby(context.db, lobbyId);
      return lobby !== undefined && isRightCode(lobby, code);
    },
    readSpill: (lobbyId) => readBalance(context.db, spillOf(lobbyId)),
    recordBountyMoves: (lobbyId, moves) => {
      // Notional money has no accounts in the ledger.
      if (!freeLobbies.has(lobbyId)) lanes.recordBountyMoves(lobbyId, moves);
    },
    settleEntry: lanes.settleEntry,
    prepareMatch: async (lobby, rules) => {
      const prepared = await prepareMatch(lobby, rules);
      if (prepared) running.set(lobby.id, prepared.id);
      return prepared;
    },
    recordPart: recordings.recordPart,
    closeMatch: ({ id, finalTick, spill }) => recordings.close(id, finalTick, spill),
    setLobbyLive: (lobbyId, live) => {
      context.presence
        .announce(lobbyId, live)
        .catch((error: unknown) => context.logger.error({ err: error, lobbyId }, 'presence not announced'));
    },
  };
  return { ports, lanes };
}

async function readSeat(tx: Database, entry: EntryRow, isReturn: boolean): Promise<Seat> {
  const [user] = await tx.select().from(users).where(eq(users.id, entry.userId));
  const lobby = toGameLobby((await findLobby(tx, entry.lobbyId))!);
  return {
    entryId: entry.id,
    userId: entry.userId,
    name: user!.name,
    avatarUrl: user!.avatarUrl,
    isAdmin: user!.role === 'admin',
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

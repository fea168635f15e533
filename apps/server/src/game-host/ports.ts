import { setImmediate as nextTurn } from 'node:timers/promises';
import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import { baseUnits } from '@engulf/domain/money/amount';
import type { Recording } from '@engulf/sim/recording';
import { eq } from 'drizzle-orm';
import { findSessionUser, readSessionToken } from '../accounts/sessions.ts';
import { redeemTicket } from '../entries/tickets.ts';
import type { GamePorts, SavedMatch, Seat } from '../game/ports.ts';
import { findLobby, listLobbies, toGameLobby } from '../lobbies/lobby-rows.ts';
import { spillOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import { type EntryRow, entries, matches } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { users } from '../platform/database/people.ts';
import { createMoneyLanes, type MoneyLanes } from './money-lanes.ts';

export function createGamePorts(context: Context): { ports: GamePorts; lanes: MoneyLanes } {
  const lanes = createMoneyLanes(context);
  /** Which lobby an entry plays in, to keep its settlement behind the lobby's moves. */
  const playing = new Map<EntryId, LobbyId>();
  const freeLobbies = new Set<LobbyId>();

  const ports: GamePorts = {
    listLobbies: async () => (await listLobbies(context.db)).map(toGameLobby),
    redeemTicket: async (ticket, lobbyId) => {
      const seat = await redeemTicket(context, ticket, lobbyId, readSeat);
      if (seat.ok) {
        const { entryId, isFree } = seat.value;
        playing.set(entryId, lobbyId);
        if (isFree) freeLobbies.add(lobbyId);
      }
      return seat;
    },
    identify: async (cookieHeader) => {
      const token = readSessionToken(cookieHeader);
      const user = token === undefined ? undefined : await findSessionUser(context, token);
      return user && { userId: user.id, name: user.name };
    },
    readSpill: (lobbyId) => readBalance(context.db, spillOf(lobbyId)),
    recordBountyMoves: (lobbyId, moves) => {
      // Notional money is nobody's: it is not in the books.
      if (!freeLobbies.has(lobbyId)) lanes.recordBountyMoves(lobbyId, moves);
    },
    settleEntry: async (entryId, outcome) => {
      const lobbyId = playing.get(entryId) ?? (await lobbyOf(context, entryId));
      const settlement = await lanes.settleEntry(lobbyId, entryId, outcome);
      playing.delete(entryId);
      return settlement;
    },
    saveMatch: (match) => saveMatch(context, match),
    setLobbyLive: (lobbyId, live) => void context.presence.announce(lobbyId, live),
  };
  return { ports, lanes };
}

async function readSeat(tx: Database, entry: EntryRow): Promise<Seat> {
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
  };
}

/** For an entry that was settled before; one that is played here is known without asking. */
async function lobbyOf({ db }: Context, entryId: EntryId): Promise<LobbyId> {
  const [entry] = await db.select({ lobbyId: entries.lobbyId }).from(entries).where(eq(entries.id, entryId));
  if (!entry) throw new Error(`There is no entry ${entryId}`);
  return entry.lobbyId;
}

async function saveMatch({ db }: Context, match: SavedMatch): Promise<void> {
  const { recording, players, ...rest } = match;
  const values = { ...rest, players: [...players], recording: await writeRecording(recording) };
  await db.insert(matches).values(values).onConflictDoUpdate({ target: matches.id, set: values });
}

const COMMANDS_PER_TURN = 2_000;

/** As JSON, piece by piece: written in one go, that of a long match would hold up every other lobby for seconds. */
async function writeRecording({ commands, ...beginning }: Recording): Promise<string> {
  const pieces: string[] = [];
  for (let start = 0; start < commands.length; start += COMMANDS_PER_TURN) {
    const piece = commands.slice(start, start + COMMANDS_PER_TURN);
    pieces.push(JSON.stringify(piece, writeBigInt).slice(1, -1));
    await nextTurn();
  }
  return `${JSON.stringify(beginning, writeBigInt).slice(0, -1)},"commands":[${pieces.join(',')}]}`;
}

function writeBigInt(_: string, value: unknown): unknown {
  return typeof value === 'bigint' ? `${value}n` : value;
}

import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { and, count, eq, gt, or, type SQL, sql } from 'drizzle-orm';
import { countHeld } from '../gathering/gatherers.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { entries, IS_LIVE, isIn, lobbies } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';

/*
 * Seats of a lobby. A paid seat, or one in a free lobby, belongs to its player. A seat that is only held blocks
 * newcomers for a while, so that two people do not pay for the same one, but it never blocks someone who has paid.
 */

/** Long enough to approve a payment and see it final; after that the seat is offered to others as well. */
const UNPAID_BLOCKS_MS = 45_000;
/** Longer with a payment under way, which is final within half a minute. */
const CLAIMED_BLOCKS_MS = 90_000;

const IS_TAKEN = isIn(['ticketSent', 'playing']);

/**
 * Locks the lobby, so that seats are counted and taken one at a time. Must come before any lock on an entry. The
 * lock does not get in the way of rows that refer to the lobby.
 */
export async function lockLobby(tx: Database, id: LobbyId): Promise<LobbyRow | undefined> {
  const [lobby] = await locking(tx).execute({ id });
  return lobby;
}

const locking = prepareOnce((db) =>
  db
    .select()
    .from(lobbies)
    .where(eq(lobbies.id, sql.placeholder('id')))
    .for('no key update'),
);

export async function hasSeatForNewcomer(
  tx: Database,
  lobby: LobbyRow,
  userId: UserId,
  nowMs: number,
): Promise<boolean> {
  const since = (ms: number) => new Date(nowMs - ms).toISOString();
  const times = { unpaidSince: since(UNPAID_BLOCKS_MS), claimedSince: since(CLAIMED_BLOCKS_MS) };
  const held = await countHeld(tx, lobby, userId, nowMs);
  const [blocked] = await countingBlocked(tx).execute({ lobbyId: lobby.id, ...times });
  return blocked!.count + held < lobby.maxPlayers;
}

const countingBlocked = prepareOnce((db) =>
  db
    .select({ count: count() })
    .from(entries)
    .where(
      and(
        eq(entries.lobbyId, sql.placeholder('lobbyId')),
        IS_LIVE,
        or(
          IS_TAKEN,
          and(isIn(['created']), gt(entries.createdAt, sql.placeholder('unpaidSince'))),
          and(isIn(['payment_processing']), gt(entries.createdAt, sql.placeholder('claimedSince'))),
        ),
      ),
    ),
);

/** In a free lobby, the share of the seats that one address may have: wallets cost nothing. */
const MAX_PART_PER_ADDRESS = 0.4;

/** Whether the address may have one more seat in a lobby in which seats are free. */
export async function hasSeatForAddress(
  tx: Database,
  lobby: LobbyRow,
  addressHash: string,
  limitScale: number,
): Promise<boolean> {
  const max = Math.max(1, Math.floor(lobby.maxPlayers * MAX_PART_PER_ADDRESS)) * limitScale;
  return (await countEntries(tx, lobby, and(IS_TAKEN, eq(entries.addressHash, addressHash))!)) < max;
}

/** For an entry whose payment has arrived. Seats that are only held do not count. */
export async function hasSeatForPayer(tx: Database, lobby: LobbyRow): Promise<boolean> {
  const [taken] = await countingTaken(tx).execute({ lobbyId: lobby.id });
  return taken!.count < lobby.maxPlayers;
}

const countingTaken = prepareOnce((db) =>
  db
    .select({ count: count() })
    .from(entries)
    .where(and(eq(entries.lobbyId, sql.placeholder('lobbyId')), IS_TAKEN)),
);

/** Whether the user has entries left in the lobby. */
export async function hasEntriesLeft(tx: Database, lobby: LobbyRow, userId: UserId): Promise<boolean> {
  const { maxEntriesPerUser } = lobby;
  if (maxEntriesPerUser === null) return true;
  const isPlayed = and(eq(entries.userId, userId), eq(entries.state, 'ended'))!;
  return (await countEntries(tx, lobby, isPlayed)) < maxEntriesPerUser;
}

async function countEntries(tx: Database, lobby: LobbyRow, which: SQL): Promise<number> {
  const [row] = await tx
    .select({ count: count() })
    .from(entries)
    .where(and(eq(entries.lobbyId, lobby.id), which));
  return row!.count;
}

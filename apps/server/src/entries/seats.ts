import type { LobbyId, UserId } from '@engulf/domain/ids/entity-ids';
import { and, count, eq, gt, inArray, or, type SQL } from 'drizzle-orm';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { entries, lobbies } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';

/*
 * Seats of a lobby. A paid seat, or one in a free lobby, belongs to its player. A seat that is only held blocks
 * newcomers for a while, so that two people do not pay for the same one, but it never blocks someone who has paid.
 */

/** Long enough to approve a payment and see it final; after that the seat is offered to others as well. */
const UNPAID_BLOCKS_MS = 45_000;
/** Longer with a payment under way, which is final within half a minute. */
const CLAIMED_BLOCKS_MS = 90_000;

const IS_TAKEN = inArray(entries.state, ['ticketSent', 'playing']);

/**
 * Locks the lobby, so that seats are counted and taken one at a time. Must come before any lock on an entry. The
 * lock does not get in the way of rows that refer to the lobby.
 */
export async function lockLobby(tx: Database, id: LobbyId): Promise<LobbyRow | undefined> {
  const [lobby] = await tx.select().from(lobbies).where(eq(lobbies.id, id)).for('no key update');
  return lobby;
}

export async function hasSeatForNewcomer(tx: Database, lobby: LobbyRow, nowMs: number): Promise<boolean> {
  const isYoungerThan = (ms: number) => gt(entries.createdAt, new Date(nowMs - ms));
  const isBlocked = or(
    IS_TAKEN,
    and(eq(entries.state, 'created'), isYoungerThan(UNPAID_BLOCKS_MS)),
    and(eq(entries.state, 'payment_processing'), isYoungerThan(CLAIMED_BLOCKS_MS)),
  )!;
  return (await countEntries(tx, lobby, isBlocked)) < lobby.maxPlayers;
}

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
  return (await countEntries(tx, lobby, IS_TAKEN)) < lobby.maxPlayers;
}

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

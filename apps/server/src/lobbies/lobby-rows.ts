import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { type BaseUnits, baseUnits, type Token, USD } from '@engulf/domain/money/amount';
import { multiplierBasis } from '@engulf/domain/money/reward-text';
import { asc, eq, inArray, sql } from 'drizzle-orm';
import { lobbies } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';

export type LobbyRow = typeof lobbies.$inferSelect;
/** A lobby on the chain. */
export type PaidLobby = LobbyRow & { readonly chainLobbyId: NonNullable<LobbyRow['chainLobbyId']> };

/** The lobbies that players see: neither those that are still being created nor those that were removed. */
export async function listLobbies(db: Database): Promise<LobbyRow[]> {
  return listShown(db).execute();
}

const listShown = prepareOnce((db) =>
  db
    .select()
    .from(lobbies)
    .where(inArray(lobbies.stage, ['ready', 'removing']))
    .orderBy(asc(lobbies.sortOrder), asc(lobbies.name)),
);

export async function listAllLobbies(db: Database): Promise<LobbyRow[]> {
  return db.select().from(lobbies).orderBy(asc(lobbies.sortOrder), asc(lobbies.name));
}

export async function findLobby(db: Database, id: LobbyId): Promise<LobbyRow | undefined> {
  const [lobby] = await finding(db).execute({ id });
  return lobby;
}

const finding = prepareOnce((db) =>
  db
    .select()
    .from(lobbies)
    .where(eq(lobbies.id, sql.placeholder('id'))),
);

export function isPaid(lobby: LobbyRow): lobby is PaidLobby {
  return lobby.chainLobbyId !== null;
}

/** The token of the lobby's amounts: notional dollars in a free one. */
export function tokenOf(lobby: LobbyRow): Token {
  return isPaid(lobby) ? { symbol: lobby.tokenSymbol, decimals: lobby.tokenDecimals } : USD;
}

/** The notional stake of a free entry. A paid stake is what reached the pool. */
export function notionalStake(lobby: LobbyRow): BaseUnits {
  return multiplierBasis({
    entryFee: baseUnits(0n),
    freeLobbyEntryUsd: baseUnits(lobby.freeLobbyEntryUsd ?? 0n),
  });
}

import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { type BaseUnits, baseUnits, type Token, USD } from '@engulf/domain/money/amount';
import { multiplierBasis } from '@engulf/domain/money/reward-text';
import { asc, eq } from 'drizzle-orm';
import type { GameLobby } from '../game/ports.ts';
import { lobbies } from '../platform/database/games.ts';
import type { Database } from '../platform/database/open-database.ts';

export type LobbyRow = typeof lobbies.$inferSelect;
/** A lobby on the chain. */
export type PaidLobby = LobbyRow & { readonly chainLobbyId: NonNullable<LobbyRow['chainLobbyId']> };

export async function listLobbies(db: Database): Promise<LobbyRow[]> {
  return db.select().from(lobbies).orderBy(asc(lobbies.sortOrder));
}

export async function findLobby(db: Database, id: LobbyId): Promise<LobbyRow | undefined> {
  const [lobby] = await db.select().from(lobbies).where(eq(lobbies.id, id));
  return lobby;
}

export function isPaid(lobby: LobbyRow): lobby is PaidLobby {
  return lobby.chainLobbyId !== null;
}

/** What the lobby's money is counted in: a free one plays for notional dollars. */
export function tokenOf(lobby: LobbyRow): Token {
  return isPaid(lobby) ? { symbol: lobby.tokenSymbol, decimals: lobby.tokenDecimals } : USD;
}

/** What a free entry counts as. Paid stakes are what reached the pool. */
export function notionalStake(lobby: LobbyRow): BaseUnits {
  return multiplierBasis({
    entryFee: baseUnits(0n),
    freeLobbyEntryUsd: baseUnits(lobby.freeLobbyEntryUsd ?? 0n),
  });
}

export function toGameLobby(lobby: LobbyRow): GameLobby {
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
  };
}

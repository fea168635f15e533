import { randomUUID } from 'node:crypto';
import { chainLobbyId, lobbyId } from '@engulf/domain/ids/entity-ids';
import { SOL } from '@engulf/domain/money/amount';
import type { LobbyRow } from '../src/lobbies/lobby-rows.ts';
import { lobbies } from '../src/platform/database/games.ts';
import type { Database } from '../src/platform/database/open-database.ts';

type Change = Partial<typeof lobbies.$inferInsert>;

/** A free lobby, as a row only. */
export async function newLobby(db: Database, change: Change = {}): Promise<LobbyRow> {
  const id = lobbyId(randomUUID());
  const [row] = await db
    .insert(lobbies)
    .values({
      id,
      name: id,
      lobbyType: 'free',
      tokenSymbol: 'USD',
      tokenDecimals: 6,
      entryFee: 0n,
      maxPlayers: 10,
      sortOrder: 0,
      ...change,
    })
    .returning();
  return row!;
}

let nextChainLobby = 1_000_000n;

/** A SOL lobby with a chain id of its own, as a row only: it is not on the chain. */
export function newPaidLobby(db: Database, change: Change = {}): Promise<LobbyRow> {
  return newLobby(db, {
    chainLobbyId: chainLobbyId(nextChainLobby++),
    lobbyType: 'normal',
    tokenSymbol: SOL.symbol,
    tokenDecimals: SOL.decimals,
    entryFee: 50n,
    ...change,
  });
}

import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { eq, sql } from 'drizzle-orm';
import type { PgUpdateSetSource } from 'drizzle-orm/pg-core';
import { lobbyPools } from '../platform/database/money.ts';
import type { Database } from '../platform/database/open-database.ts';

/*
 * The only writer of what is known of the pools. A lobby has no row until something is known of its pool.
 */

type PoolReadings = Partial<Omit<typeof lobbyPools.$inferSelect, 'lobbyId'>>;

export async function readPoolReadings(db: Database, lobbyId: LobbyId): Promise<PoolReadings> {
  const [row] = await db.select().from(lobbyPools).where(eq(lobbyPools.lobbyId, lobbyId));
  return row ?? {};
}

export async function noteReserve(db: Database, lobbyId: LobbyId, reserveLamports: bigint): Promise<void> {
  await note(db, lobbyId, { reserveLamports });
}

/** Books and pool were equal at this slot. */
export async function noteProven(db: Database, lobbyId: LobbyId, provenSlot: bigint): Promise<void> {
  await note(db, lobbyId, { provenSlot });
}

/** Never goes back: of two workers that list at once, the slower one may have seen less. */
export async function advanceReconciled(
  db: Database,
  lobbyId: LobbyId,
  reconciledSlot: bigint,
): Promise<void> {
  // PostgreSQL's `greatest` ignores nulls.
  const newer = sql`greatest(${lobbyPools.reconciledSlot}, excluded.reconciled_slot)`;
  await note(db, lobbyId, { reconciledSlot }, { reconciledSlot: newer });
}

async function note(
  db: Database,
  lobbyId: LobbyId,
  first: PoolReadings,
  change: PgUpdateSetSource<typeof lobbyPools> = first,
): Promise<void> {
  await db
    .insert(lobbyPools)
    .values({ lobbyId, ...first })
    .onConflictDoUpdate({ target: lobbyPools.lobbyId, set: change });
}

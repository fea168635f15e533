import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import type { Database } from '../../platform/database/open-database.ts';

/** What a lobby holds by the books: what it owes (Σ bounties + spill + unsettled payouts) and gifts. */
export type LobbyBooks = {
  readonly lobbyId: LobbyId;
  readonly pool: bigint;
  readonly bounties: bigint;
  readonly spill: bigint;
  readonly payable: bigint;
  readonly gifts: bigint;
};

type Column = 'lobby_id' | 'pool' | 'bounties' | 'spill' | 'payable' | 'gifts';

/** One for every lobby with postings. */
export async function readLobbyBooks(db: Database): Promise<LobbyBooks[]> {
  const { rows } = await db.execute<Record<Column, string>>(sql`
    select lobby_id,
      coalesce(-sum(balance) filter (where kind = 'pool'), 0)::text as pool,
      coalesce(sum(balance) filter (where kind = 'bounty'), 0)::text as bounties,
      coalesce(sum(balance) filter (where kind = 'spill'), 0)::text as spill,
      coalesce(sum(balance) filter (where kind = 'payable'), 0)::text as payable,
      coalesce(sum(balance) filter (where kind = 'gift'), 0)::text as gifts
    from ledger_accounts group by lobby_id`);
  return rows.map((row) => ({
    lobbyId: row.lobby_id as LobbyId,
    pool: BigInt(row.pool),
    bounties: BigInt(row.bounties),
    spill: BigInt(row.spill),
    payable: BigInt(row.payable),
    gifts: BigInt(row.gifts),
  }));
}

import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import type { Database } from '../platform/database/open-database.ts';

/** What a lobby holds by the books: Σ bounties + spill + unsettled payouts, which it owes, and gifts. */
type LobbyBooks = {
  readonly lobbyId: LobbyId;
  readonly pool: bigint;
  readonly bounties: bigint;
  readonly spill: bigint;
  readonly payable: bigint;
  readonly gifts: bigint;
};

export type Audit = {
  readonly lobbies: readonly LobbyBooks[];
  /** If not empty, money was made or lost. */
  readonly faults: readonly string[];
};

/** Recomputes every balance from the postings and compares it with the stored one. */
export async function auditLedger(db: Database): Promise<Audit> {
  const lobbies = await readBooks(db);
  const faults = lobbies
    .filter(({ pool, bounties, spill, payable, gifts }) => pool !== bounties + spill + payable + gifts)
    .map(({ lobbyId }) => `lobby ${lobbyId}: the pool is not the sum of what is owed and given`);
  return { lobbies, faults: [...faults, ...(await findWrongBalances(db)), ...(await findWrongPayables(db))] };
}

async function readBooks(db: Database): Promise<LobbyBooks[]> {
  const rows = await rowsOf<Record<'lobby_id' | 'pool' | 'bounties' | 'spill' | 'payable' | 'gifts', string>>(
    db,
    sql`
      select lobby_id,
        coalesce(-sum(balance) filter (where kind = 'pool'), 0)::text as pool,
        coalesce(sum(balance) filter (where kind = 'bounty'), 0)::text as bounties,
        coalesce(sum(balance) filter (where kind = 'spill'), 0)::text as spill,
        coalesce(sum(balance) filter (where kind = 'payable'), 0)::text as payable,
        coalesce(sum(balance) filter (where kind = 'gift'), 0)::text as gifts
      from ledger_accounts group by lobby_id`,
  );
  return rows.map((row) => ({
    lobbyId: row.lobby_id as LobbyId,
    pool: BigInt(row.pool),
    bounties: BigInt(row.bounties),
    spill: BigInt(row.spill),
    payable: BigInt(row.payable),
    gifts: BigInt(row.gifts),
  }));
}

async function findWrongBalances(db: Database): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`
      select id from ledger_accounts account
      where balance <> coalesce((select sum(amount) from ledger_postings where credit = account.id), 0)
        - coalesce((select sum(amount) from ledger_postings where debit = account.id), 0)`,
  );
  return rows.map(({ id }) => `account ${id}: the balance is not the sum of its postings`);
}

/** Until a payout is completed its account holds the amount, and after that nothing. */
async function findWrongPayables(db: Database): Promise<string[]> {
  const rows = await rowsOf<{ id: string }>(
    db,
    sql`
      select payouts.id from payouts left join ledger_accounts on ledger_accounts.id = 'payable:' || payouts.id
      where coalesce(balance, 0) <> case when status = 'completed' then 0 else amount end`,
  );
  return rows.map(({ id }) => `payout ${id}: the ledger owes another amount`);
}

async function rowsOf<Row extends Record<string, unknown>>(
  db: Database,
  query: ReturnType<typeof sql>,
): Promise<Row[]> {
  const { rows } = await db.execute<Row>(query);
  return rows;
}

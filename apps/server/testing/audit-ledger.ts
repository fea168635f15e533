import { sql } from 'drizzle-orm';
import { type LobbyBooks, readLobbyBooks } from '../src/money/ledger/books.ts';
import type { Database } from '../src/platform/database/open-database.ts';

export type Audit = {
  readonly lobbies: readonly LobbyBooks[];
  /** If not empty, money was made or lost. */
  readonly faults: readonly string[];
};

/** Recomputes every balance from the postings and compares it with the stored one. */
export async function auditLedger(db: Database): Promise<Audit> {
  const lobbies = await readLobbyBooks(db);
  const faults = lobbies
    .filter(({ pool, bounties, spill, payable, gifts }) => pool !== bounties + spill + payable + gifts)
    .map(({ lobbyId }) => `lobby ${lobbyId}: the pool is not the sum of what is owed and given`);
  return { lobbies, faults: [...faults, ...(await findWrongBalances(db)), ...(await findWrongPayables(db))] };
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

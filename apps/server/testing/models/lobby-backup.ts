import { sql } from 'drizzle-orm';
import type { PaidLobby } from '../../src/lobbies/lobby-rows.ts';
import type { Database } from '../../src/platform/database/open-database.ts';

/** The rows of a lobby's money, by table. */
export type LobbyBackup = ReadonlyMap<string, string>;

/** Each table and which of its rows are the lobby's. Those that others refer to come last. */
const tablesOf = ({ id, chainLobbyId }: PaidLobby) =>
  [
    ['ledger_postings', sql`transaction_key in (select key from ledger_transactions where lobby_id = ${id})`],
    ['ledger_transactions', sql`lobby_id = ${id}`],
    ['ledger_accounts', sql`lobby_id = ${id}`],
    ['signer_log', sql`lobby_id = ${chainLobbyId.toString()}`],
    ['payouts', sql`lobby_id = ${id}`],
    ['payout_batches', sql`lobby_id = ${id}`],
    ['payments', sql`lobby_id = ${id}`],
    ['lobby_pools', sql`lobby_id = ${id}`],
  ] as const;

export async function backUpLobby(db: Database, lobby: PaidLobby): Promise<LobbyBackup> {
  const backup = new Map<string, string>();
  for (const [table, isOfLobby] of tablesOf(lobby)) {
    const name = sql.identifier(table);
    const { rows } = await db.execute<{ rows: string }>(
      sql`select coalesce(json_agg(row_to_json(t)), '[]')::text as rows from ${name} t where ${isOfLobby}`,
    );
    backup.set(table, rows[0]!.rows);
  }
  return backup;
}

export async function restoreLobby(db: Database, lobby: PaidLobby, backup: LobbyBackup): Promise<void> {
  await db.transaction(async (tx) => {
    // A restored database is a new one, to which the rules against deleting do not apply.
    await tx.execute(sql`set local session_replication_role = replica`);
    for (const [table, isOfLobby] of tablesOf(lobby)) {
      await tx.execute(sql`delete from ${sql.identifier(table)} where ${isOfLobby}`);
    }
    for (const [table, rows] of backup) {
      const name = sql.identifier(table);
      await tx.execute(
        sql`insert into ${name} select * from json_populate_recordset(null::${name}, ${rows}::json)`,
      );
    }
  });
}

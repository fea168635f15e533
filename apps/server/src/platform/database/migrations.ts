import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { sql } from 'drizzle-orm';
import { type Database, MIGRATIONS } from './open-database.ts';

type Journal = { readonly entries: readonly { readonly tag: string; readonly when: number }[] };

/** The names of the migrations that this version brings and the database lacks, in their order. Changes nothing. */
export async function pendingMigrations(db: Database): Promise<readonly string[]> {
  const { entries } = JSON.parse(readFileSync(join(MIGRATIONS, 'meta/_journal.json'), 'utf8')) as Journal;
  const newest = await newestApplied(db);
  return entries.filter(({ when }) => when > newest).map(({ tag }) => tag);
}

async function newestApplied(db: Database): Promise<number> {
  const { rows: found } = await db.execute<{ found: string | null }>(
    sql`select to_regclass('drizzle.__drizzle_migrations')::text as found`,
  );
  if (found[0]!.found === null) return 0;
  const { rows } = await db.execute<{ newest: string | null }>(
    sql`select max(created_at)::text as newest from drizzle.__drizzle_migrations`,
  );
  return Number(rows[0]!.newest ?? 0);
}

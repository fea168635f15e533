import type { Socket } from 'node:net';
import { join } from 'node:path';
import type { PGlite } from '@electric-sql/pglite';
import { sql } from 'drizzle-orm';
import { drizzle as drizzlePostgres } from 'drizzle-orm/node-postgres';
import { migrate as migratePostgres } from 'drizzle-orm/node-postgres/migrator';
import type { PgDatabase, PgQueryResultHKT } from 'drizzle-orm/pg-core';
import { drizzle as drizzlePglite } from 'drizzle-orm/pglite';
import { migrate as migratePglite } from 'drizzle-orm/pglite/migrator';
import pg from 'pg';
import { openPgliteThread } from './pglite-client.ts';

/** The database or a transaction on it. */
export type Database = PgDatabase<RowsResult, Record<string, never>>;

type Rows<Row> = { rows: Row[] };

/** The result of a plain statement with either driver. */
interface RowsResult extends PgQueryResultHKT {
  type: Rows<this['row']>;
}

export type OpenDatabase = {
  readonly db: Database;
  /** Only of PostgreSQL. */
  readonly pool?: Pick<pg.Pool, 'totalCount' | 'idleCount' | 'waitingCount'>;
  close(): Promise<void>;
};

export type DatabaseLocation =
  | { readonly kind: 'embedded'; readonly folder: string }
  /** For tests: opens faster, but runs on the thread of the caller. */
  | { readonly kind: 'client'; readonly client: PGlite }
  | { readonly kind: 'postgres'; readonly url: string };

const MIGRATIONS = join(import.meta.dirname, '../../../migrations');
const CASING = 'snake_case';

/**
 * Opens the database and applies the migrations. Both kinds have the same tables and run the same queries. `onLost`
 * is called if the embedded database dies while it is open; the process cannot continue then. A query may take `maxSilenceMs`.
 */
export async function openDatabase(
  location: DatabaseLocation,
  onLost: (error: Error) => void = throwUncaught,
  maxSilenceMs = MAX_SILENCE_MS,
): Promise<OpenDatabase> {
  if (location.kind === 'postgres') return openPostgres(location.url, maxSilenceMs);
  const client =
    location.kind === 'client' ? location.client : await openPgliteThread(location.folder, onLost);
  const db = drizzlePglite({ client, casing: CASING });
  try {
    await migratePglite(db, { migrationsFolder: MIGRATIONS });
  } catch (error) {
    await client.close();
    throw error;
  }
  return { db, close: () => client.close() };
}

function throwUncaught(error: Error): void {
  setImmediate(() => {
    throw error;
  });
}

/**
 * A process that freezes in a transaction keeps its locks, and nobody could declare it dead while it locks its lobbies.
 * PostgreSQL ends such a transaction after this time, by which the process counts as dead anyway.
 */
const MAX_STANDSTILL_MS = 5_000;

/**
 * A database whose machine or network is gone says nothing at all, and its connections look open for ever. What waits on
 * such a connection fails after this time, as if it had been closed.
 */
const MAX_SILENCE_MS = 30_000;

/** A lost connection, idle or in use, fails its query and not the process; the next query opens another. */
export function openPool(url: string, maxSilenceMs = MAX_SILENCE_MS): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    idle_in_transaction_session_timeout: MAX_STANDSTILL_MS,
    connectionTimeoutMillis: maxSilenceMs,
  });
  pool.on('error', () => undefined);
  pool.on('connect', (client) => {
    client.on('error', () => undefined);
    const { stream } = (client as unknown as { readonly connection: { readonly stream: Socket } }).connection;
    stream.setTimeout(maxSilenceMs, () => stream.destroy(new Error('The database is silent')));
  });
  return pool;
}

/** An arbitrary number that must never change. */
const MIGRATION_LOCK = 4_710_815;

async function openPostgres(url: string, maxSilenceMs: number): Promise<OpenDatabase> {
  // Several processes may start at once: one migrates while the others wait, however long that takes.
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: MAX_SILENCE_MS });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const lone = drizzlePostgres({ client, casing: CASING });
    await lone.execute(sql`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await migratePostgres(lone, { migrationsFolder: MIGRATIONS });
    await lone.execute(sql`select pg_advisory_unlock(${MIGRATION_LOCK})`);
  } finally {
    await client.end();
  }
  const pool = openPool(url, maxSilenceMs);
  return { db: queryThrough(pool), pool, close: () => pool.end() };
}

/** @internal Drizzle's own transactions leak a connection that breaks at `begin`: after ten, the pool is empty. */
export function queryThrough(pool: pg.Pool): Database {
  const db = drizzlePostgres({ client: pool, casing: CASING });
  const transaction: typeof db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      return await drizzlePostgres({ client, casing: CASING }).transaction(work, config);
    } finally {
      client.release();
    }
  };
  return Object.assign(db, { transaction });
}

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
import { keepPlans } from './keep-plans.ts';
import { openPgliteThread } from './pglite-client.ts';
import { DatabaseUnreachable } from './unreachable.ts';

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

export const MIGRATIONS = join(import.meta.dirname, '../../../migrations');
const CASING = 'snake_case';

/**
 * Opens the database and applies the migrations. Both kinds have the same tables and run the same queries. `onLost`
 * is called if the embedded database dies while it is open; the process cannot continue then.
 */
export async function openDatabase(
  location: DatabaseLocation,
  onLost: (error: Error) => void = throwUncaught,
): Promise<OpenDatabase> {
  if (location.kind === 'postgres') {
    await migratePostgresAt(location.url);
    return openUnmigrated(location.url);
  }
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

/** How long a connection that nobody uses is kept. */
const KEPT_MS = 10 * 60_000;

/** A lost connection, idle or in use, fails its query and not the process; the next query opens another. */
export function openPool(url: string, maxSilenceMs = MAX_SILENCE_MS): pg.Pool {
  const pool = new pg.Pool({
    connectionString: url,
    // Statements that are sent together are on their way together (together.ts).
    pipeline: true,
    // Another connection takes several round trips, while somebody waits for a result.
    idleTimeoutMillis: KEPT_MS,
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

/** PostgreSQL as it is, for who only looks. A query may take `maxSilenceMs`. */
export function openUnmigrated(url: string, maxSilenceMs = MAX_SILENCE_MS): OpenDatabase {
  const pool = openPool(url, maxSilenceMs);
  return { db: queryThrough(pool), pool, close: () => pool.end() };
}

/** Several processes may start at once: one migrates while the others wait, however long that takes. */
export async function migratePostgresAt(url: string): Promise<void> {
  const client = new pg.Client({ connectionString: url, connectionTimeoutMillis: MAX_SILENCE_MS });
  client.on('error', () => undefined);
  await client.connect().catch((error: Error) => {
    throw new DatabaseUnreachable(error);
  });
  try {
    const lone = drizzlePostgres({ client, casing: CASING });
    await lone.execute(sql`select pg_advisory_lock(${MIGRATION_LOCK})`);
    await migratePostgres(lone, { migrationsFolder: MIGRATIONS });
    await lone.execute(sql`select pg_advisory_unlock(${MIGRATION_LOCK})`);
  } finally {
    await client.end();
  }
}

/** @internal Drizzle's own transactions leak a connection that breaks at `begin`: after ten, the pool is empty. */
export function queryThrough(pool: pg.Pool): Database {
  const db = drizzlePostgres({ client: pool, casing: CASING });
  // One for each connection: a new one would work out the names of all columns again.
  const lone = new WeakMap<pg.PoolClient, Pick<typeof db, 'transaction'>>();
  const transaction: typeof db.transaction = async (work, config) => {
    const client = await pool.connect();
    try {
      const own = lone.get(client) ?? drizzlePostgres({ client: keepPlans(client), casing: CASING });
      lone.set(client, own);
      return await own.transaction(work, config);
    } finally {
      client.release();
    }
  };
  return Object.assign(db, { transaction });
}

import { execFileSync } from 'node:child_process';
import { createHash, randomUUID } from 'node:crypto';
import {
  existsSync,
  globSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import pg from 'pg';
import { type OpenDatabase, openDatabase } from '../src/platform/database/open-database.ts';

const MIGRATIONS = join(import.meta.dirname, '../migrations');

/**
 * A database in memory or, with TEST_DATABASE_URL, one on that PostgreSQL server, to see that both kinds behave alike.
 * Creating one from nothing takes seconds, so the first test keeps an empty, migrated database for the others to copy,
 * and whoever closes one leaves it empty to the next test of the same worker.
 */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  if (serverUrl) return openOnServer(serverUrl);
  const kept = spare.pop() ?? (await copyTemplate());
  const { client } = kept;
  let isClosed = false;
  const lent = new Proxy(client, {
    get: (_, name) => {
      if (isClosed) throw new Error('The database is closed');
      const value: unknown = Reflect.get(client, name);
      return typeof value === 'function' ? value.bind(client) : value;
    },
  });
  const { db } = await openDatabase({ kind: 'client', client: lent });
  return {
    db,
    close: async () => {
      if (isClosed) return;
      isClosed = true;
      await client.query('discard all');
      await client.query(EMPTY);
      // A test that has changed more than rows keeps its database.
      if ((await readShape(client)) === kept.shape) spare.push(kept);
      else await client.close();
    },
  };
}

type Kept = { readonly client: PGlite; readonly shape: string };

const spare: Kept[] = [];

async function copyTemplate(): Promise<Kept> {
  const template = readFileSync(await prepareTemplate());
  const client = await PGlite.create('memory://', { loadDataDir: new Blob([template]) });
  return { client, shape: await readShape(client) };
}

/** Changes with every table, column, index, trigger, rule or function that comes or goes. */
async function readShape(client: PGlite): Promise<string> {
  const kinds = ['class', 'attribute', 'trigger', 'constraint', 'proc'];
  const { rows } = await client.query(
    kinds.map((kind) => `select count(*) from pg_${kind}`).join(' union all '),
  );
  return JSON.stringify(rows);
}

/** Leaves what the migrations made, because they make tables and fill none. */
const EMPTY = `
  do $$
  declare
    of_ours oid := 'public'::regnamespace;
    filled text[] := '{}';
    name regclass;
    has_rows boolean;
  begin
    -- The books refuse to forget anything while their triggers are on.
    set local session_replication_role = replica;
    for name in select oid from pg_class where relnamespace = of_ours and relkind = 'r' loop
      execute format('select exists (select from %s)', name) into has_rows;
      if has_rows then filled := filled || name::text; end if;
    end loop;
    if filled <> '{}' then execute format('truncate %s cascade', array_to_string(filled, ', ')); end if;
    for name in select oid from pg_class where relnamespace = of_ours and relkind = 'S' loop
      execute format('alter sequence %s restart', name);
    end loop;
  end $$`;

/** Puts an empty, migrated database into a folder that a server opens afterwards. */
export async function placeTestDatabase(folder: string): Promise<void> {
  mkdirSync(folder, { recursive: true });
  execFileSync('tar', ['-xf', await prepareTemplate(), '-C', folder], { stdio: 'ignore' });
}

/** As the server opens it: in a folder, with its own thread. */
export async function openThreadedTestDatabase(): Promise<OpenDatabase> {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  if (serverUrl) return openOnServer(serverUrl);
  const home = mkdtempSync(join(tmpdir(), 'engulf-database-'));
  await placeTestDatabase(join(home, 'database'));
  const database = await openDatabase({ kind: 'embedded', folder: join(home, 'database') });
  return {
    ...database,
    close: async () => {
      await database.close();
      rmSync(home, { recursive: true, force: true });
    },
  };
}

async function openOnServer(serverUrl: string): Promise<OpenDatabase> {
  const name = `engulf_test_${randomUUID().replaceAll('-', '')}`;
  await onServer(serverUrl, async (client) => {
    const template = await templateOnServer(client, serverUrl);
    await client.query(`create database ${name} template ${template}`);
  });
  const database = await openDatabase({ kind: 'postgres', url: databaseUrl(serverUrl, name) });
  return {
    ...database,
    close: async () => {
      await database.close();
      await onServer(serverUrl, (client) => client.query(`drop database ${name} with (force)`));
    },
  };
}

/** The first test file creates it; those in other processes wait for it. */
async function templateOnServer(client: pg.Client, serverUrl: string): Promise<string> {
  const name = `engulf_template_${migrationsHash()}`;
  await client.query('select pg_advisory_lock(1)');
  const { rowCount } = await client.query('select from pg_database where datname = $1', [name]);
  if (rowCount === 0) {
    const draft = `${name}_draft`;
    await client.query(`drop database if exists ${draft} with (force)`);
    await client.query(`create database ${draft}`);
    const { close } = await openDatabase({ kind: 'postgres', url: databaseUrl(serverUrl, draft) });
    await close();
    await client.query(`alter database ${draft} rename to ${name}`);
  }
  await client.query('select pg_advisory_unlock(1)');
  return name;
}

async function onServer(serverUrl: string, work: (client: pg.Client) => Promise<unknown>): Promise<void> {
  const client = new pg.Client(serverUrl);
  await client.connect();
  try {
    await work(client);
  } finally {
    await client.end();
  }
}

function databaseUrl(serverUrl: string, name: string): string {
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  return url.href;
}

function migrationsHash(): string {
  const hash = createHash('sha256');
  for (const file of globSync('*.sql', { cwd: MIGRATIONS }).sort())
    hash.update(readFileSync(join(MIGRATIONS, file)));
  return hash.digest('hex').slice(0, 16);
}

function templatePath(): string {
  return join(tmpdir(), 'engulf-test-databases', `${migrationsHash()}.tar`);
}

async function prepareTemplate(): Promise<string> {
  const path = templatePath();
  if (existsSync(path)) return path;
  const client = await PGlite.create('memory://');
  const { close } = await openDatabase({ kind: 'client', client });
  const dump = await client.dumpDataDir('none');
  await close();
  mkdirSync(join(path, '..'), { recursive: true });
  // Written elsewhere and moved into place, because several test files may do this at once.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()));
  renameSync(draft, path);
  return path;
}

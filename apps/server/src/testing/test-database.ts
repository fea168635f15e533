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
import { type OpenDatabase, openDatabase } from '../platform/database/open-database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/**
 * A database in memory or, with TEST_DATABASE_URL, a fresh one on that PostgreSQL server, to see that both
 * kinds behave alike. Creating one from nothing takes seconds, so the first test on a machine keeps
 * a copy of the empty, migrated database for the others.
 */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  if (serverUrl) return openOnServer(serverUrl);
  const template = templatePath();
  if (!existsSync(template)) await createTemplate(template);
  const client = await PGlite.create('memory://', { loadDataDir: new Blob([readFileSync(template)]) });
  return openDatabase({ kind: 'client', client });
}

/** As the server opens it: in a folder, with its own thread. */
export async function openThreadedTestDatabase(): Promise<OpenDatabase> {
  const serverUrl = process.env['TEST_DATABASE_URL'];
  if (serverUrl) return openOnServer(serverUrl);
  const home = mkdtempSync(join(tmpdir(), 'engulf-database-'));
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
  const command = async (text: string) => {
    const client = new pg.Client(serverUrl);
    await client.connect();
    await client.query(text);
    await client.end();
  };
  await command(`create database ${name}`);
  const url = new URL(serverUrl);
  url.pathname = `/${name}`;
  const database = await openDatabase({ kind: 'postgres', url: url.href });
  return {
    ...database,
    close: async () => {
      await database.close();
      await command(`drop database ${name} with (force)`);
    },
  };
}

function templatePath(): string {
  const hash = createHash('sha256');
  for (const file of globSync('*.sql', { cwd: MIGRATIONS }).sort())
    hash.update(readFileSync(join(MIGRATIONS, file)));
  return join(tmpdir(), 'engulf-test-databases', `${hash.digest('hex').slice(0, 16)}.tar`);
}

async function createTemplate(path: string): Promise<void> {
  const client = await PGlite.create('memory://');
  const { close } = await openDatabase({ kind: 'client', client });
  const dump = await client.dumpDataDir('none');
  await close();
  mkdirSync(join(path, '..'), { recursive: true });
  // Written elsewhere and moved into place, because several test files may do this at once.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()));
  renameSync(draft, path);
}

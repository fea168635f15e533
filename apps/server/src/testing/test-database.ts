import { createHash } from 'node:crypto';
import { existsSync, globSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { type OpenDatabase, openDatabase } from '../database/open-database.ts';

const MIGRATIONS = join(import.meta.dirname, '../../migrations');

/**
 * A database of its own in memory. Creating one from nothing takes seconds, so the first test of a machine leaves
 * a copy of the empty, migrated database behind for the others.
 */
export async function openTestDatabase(): Promise<OpenDatabase> {
  const template = templatePath();
  if (!existsSync(template)) await createTemplate(template);
  const client = await PGlite.create('memory://', { loadDataDir: new Blob([readFileSync(template)]) });
  return openDatabase({ kind: 'client', client });
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
  // Written beside and moved into place: several test files may do this at once.
  const draft = `${path}.${process.pid}`;
  writeFileSync(draft, Buffer.from(await dump.arrayBuffer()));
  renameSync(draft, path);
}

import { spawnSync } from 'node:child_process';
import { cpSync, globSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { PGlite } from '@electric-sql/pglite';
import { expect, test } from 'vitest';
import config from '../../../drizzle.config.ts';

const workspace = join(import.meta.dirname, '../../..');

test('the migrations make the tables that the code describes', () => {
  const folder = mkdtempSync(join(tmpdir(), 'engulf-migrations-'));
  try {
    const copy = join(folder, 'migrations');
    cpSync(join(workspace, 'migrations'), copy, { recursive: true });
    const before = readdirSync(copy);
    const schema = [config.schema ?? []].flat().map((path) => join(workspace, path));
    writeFileSync(join(folder, 'drizzle.config.json'), JSON.stringify({ ...config, schema }));
    const { stdout, stderr } = spawnSync(
      join(workspace, '../../node_modules/.bin/drizzle-kit'),
      ['generate', '--config=drizzle.config.json'],
      { cwd: folder, encoding: 'utf8' },
    );
    expect(stdout + stderr).toContain('No schema changes');
    expect(readdirSync(copy)).toEqual(before);
  } finally {
    rmSync(folder, { recursive: true });
  }
});

/** A database as the migrations before this one left it, and that one itself. */
async function openBefore(name: string) {
  const folder = join(workspace, 'migrations');
  const files = globSync('*.sql', { cwd: folder }).sort();
  const readSql = (file: string) => readFileSync(join(folder, file), 'utf8');
  const index = files.indexOf(name);
  const client = await PGlite.create('memory://');
  for (const file of files.slice(0, index)) await client.exec(readSql(file));
  return { client, migrate: () => client.exec(readSql(files[index]!)) };
}

test('what was known of the pools is carried over, and processes of the version before can still read it', async () => {
  const { client, migrate } = await openBefore('0021_lobby_pools.sql');
  const [known, unknown] = ['00000000-0000-4000-8000-000000000001', '00000000-0000-4000-8000-000000000002'];
  const readings = { reconciled_slot: '18446744073709551615', proven_slot: '7', reserve_lamports: null };
  await client.exec(`
    insert into lobbies
      (id, name, lobby_type, token_symbol, token_decimals, entry_fee, max_players, sort_order, reconciled_slot, proven_slot)
    values ('${known}', 'known', 'normal', 'SOL', 9, 1, 10, 1, ${readings.reconciled_slot}, ${readings.proven_slot}),
      ('${unknown}', 'unknown', 'free', 'USD', 6, 0, 10, 2, null, null)`);
  await migrate();
  const { rows } = await client.query('select * from lobby_pools');
  expect(rows).toEqual([{ lobby_id: known, ...readings }]);
  const old = await client.query(
    'select reconciled_slot, proven_slot, reserve_lamports from lobbies where id = $1',
    [known],
  );
  expect(old.rows).toEqual([readings]);
  await client.close();
});

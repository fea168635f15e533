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

const MIGRATIONS = join(workspace, 'migrations');
const files = globSync('*.sql', { cwd: MIGRATIONS }).sort();
const readSql = (file: string) => readFileSync(join(MIGRATIONS, file), 'utf8');

/** A database as the migrations before this one left it, and that one itself with `following` others. */
async function openBefore(name: string, following = 0) {
  const index = files.indexOf(name);
  const client = await PGlite.create('memory://');
  for (const file of files.slice(0, index)) await client.exec(readSql(file));
  const migrate = async () => {
    for (const file of files.slice(index, index + 1 + following)) await client.exec(readSql(file));
  };
  return { client, migrate };
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

/** The newest migration of the last release. Everything after it runs while that release still serves. */
const RELEASED = '0028_console.sql';
const sinceRelease = files.slice(files.indexOf(RELEASED) + 1);

/** What the last release writes for a player who paid, won and is being paid, with the columns that it knew. */
function rowsOfRelease(n: number): readonly (readonly [string, Record<string, unknown>])[] {
  const id = (kind: number) => `0000000${kind}-0000-4000-8000-00000000000${n}`;
  const [user, lobby, match, entry, payment, batch] = [1, 2, 3, 4, 5, 6].map(id);
  const at = '2026-10-01T12:00:00Z';
  const [pool, bounty] = [`pool:${lobby}`, `bounty:${entry}`];
  return [
    ['users', { id: user, wallet_address: `wallet ${n}`, name: `Player ${n}` }],
    [
      'lobbies',
      {
        id: lobby,
        name: `Lobby ${n}`,
        lobby_type: 'normal',
        token_symbol: 'SOL',
        token_decimals: 9,
        entry_fee: '100000000',
        max_players: 10,
        sort_order: n,
      },
    ],
    ['lobby_pools', { lobby_id: lobby, proven_slot: '18446744073709551615' }],
    ['game_processes', { id: `process ${n}`, version: 'before' }],
    ['lobby_leases', { lobby_id: lobby, process_id: `process ${n}` }],
    [
      'matches',
      { id: match, lobby_id: lobby, held_by: `process ${n}`, committed_at: at, commitment: 'c', rules: '{}' },
    ],
    ['match_secrets', { match_id: match, secret: 's' }],
    [
      'entries',
      {
        id: entry,
        user_id: user,
        lobby_id: lobby,
        state: 'playing',
        payment_session_id: id(7),
        entry_fee: '100000000',
        stake: '95000000',
        match_id: match,
      },
    ],
    [
      'payments',
      {
        id: payment,
        signature: `signature ${n}`,
        lobby_id: lobby,
        wallet: `wallet ${n}`,
        entry_id: entry,
        status: 'verified',
        stake: '95000000',
      },
    ],
    ['ledger_accounts', { id: pool, kind: 'pool', lobby_id: lobby, balance: '-95000000' }],
    ['ledger_accounts', { id: bounty, kind: 'bounty', lobby_id: lobby, balance: '95000000' }],
    ['ledger_transactions', { key: `join:${entry}`, lobby_id: lobby }],
    [
      'ledger_postings',
      { transaction_key: `join:${entry}`, debit: pool, credit: bounty, amount: '95000000' },
    ],
    ['payout_batches', { id: batch, lobby_id: lobby, last_valid_block_height: '9', status: 'open' }],
    [
      'payouts',
      {
        id: id(8),
        lobby_id: lobby,
        entry_id: entry,
        user_id: user,
        wallet: `wallet ${n}`,
        amount: '95000000',
        is_refund: false,
        status: 'processing',
        batch_id: batch,
      },
    ],
  ];
}

async function writeRows(client: PGlite, n: number): Promise<void> {
  for (const [table, row] of rowsOfRelease(n)) {
    const places = Object.keys(row).map((_, index) => `$${index + 1}`);
    const statement = `insert into ${table} (${Object.keys(row).join(', ')}) values (${places.join(', ')})`;
    await client.query(statement, Object.values(row));
  }
}

test("the last release's rows come through the migrations since, and it can go on writing beside and after them", async () => {
  const [first, ...others] = sinceRelease;
  const { client, migrate } = await openBefore(first!, others.length);
  const read = async () => {
    const tables = [...new Set(rowsOfRelease(0).map(([table]) => table))];
    const results = await Promise.all(
      tables.map((table) => client.query(`select * from ${table} order by 1, 2`)),
    );
    return results.map(({ rows }, index) => [tables[index], rows]);
  };
  await writeRows(client, 1);
  const before = await read();
  await migrate();
  expect(await read()).toMatchObject(before);
  await writeRows(client, 2);
  expect((await client.query('select sum(balance)::text as sum from ledger_accounts')).rows).toEqual([
    { sum: '0' },
  ]);
  await client.close();
});

/** What a process of the release before would trip over. It follows one release later, when nobody uses it any more. */
const TAKES_AWAY =
  /\bdrop (table|column|not null)|\brename\b|\bset (data type|not null)\b|add column (?!.*default)[^,;]*not null/i;

/** A table may make room for another of its name, which that release uses alike. */
function takesAway(statement: string, file: string): boolean {
  const [, renamed] = /^alter (?:table|index) "(\w+)" rename to/i.exec(statement.trim()) ?? [];
  const isReplaced = new RegExp(`(CREATE TABLE|CREATE INDEX|ADD CONSTRAINT) "${renamed}"`).test(
    readSql(file),
  );
  return TAKES_AWAY.test(statement) && !isReplaced;
}

test.each(sinceRelease)('%s takes nothing away from the last release', (file) => {
  const statements = readSql(file).split('--> statement-breakpoint');
  expect(statements.filter((statement) => takesAway(statement, file))).toEqual([]);
});

test('the ledger goes on in partitions with the rows, the ids and the checks that it had', async () => {
  const { client, migrate } = await openBefore('0035_ledger_partitions.sql');
  await writeRows(client, 1);
  const [, posting] = rowsOfRelease(1).find(([table]) => table === 'ledger_postings')!;
  const write = (changed: Record<string, unknown>) => {
    const { transaction_key, debit, credit, amount } = { ...posting, ...changed };
    return client.query(
      'insert into ledger_postings (transaction_key, debit, credit, amount) values ($1, $2, $3, $4)',
      [transaction_key, debit, credit, amount],
    );
  };
  await migrate();
  await write({});
  expect(
    (await client.query('select id::int, tableoid::regclass::text as at from ledger_postings')).rows,
  ).toEqual([
    { id: 1, at: 'ledger_postings_0' },
    { id: 2, at: 'ledger_postings_0' },
  ]);
  for (const [changed, refusal] of [
    [{ amount: '0' }, 'ledger_postings_amount'],
    [{ debit: posting['credit'] }, 'ledger_postings_sides'],
    [{ transaction_key: 'nothing' }, 'ledger_transactions_key_fk'],
    [{ debit: 'nobody' }, 'debit_ledger_accounts_id_fk'],
    [{ credit: 'nobody' }, 'credit_ledger_accounts_id_fk'],
    [{ amount: null }, 'null value in column "amount"'],
  ] as const) {
    await expect(write(changed)).rejects.toThrow(refusal);
  }
  await client.close();
});

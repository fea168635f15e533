import { type ChildProcess, spawn } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { fillDatabase } from './api/fill.ts';
import { type CallResult, measureCall } from './api/measure.ts';
import { startPostgres } from './api/postgres.ts';

/*
 * The calls of the menu on a database that has been in use for a while: the real server with PostgreSQL, asked over
 * HTTP. Afterwards the database tells whether any of them read a whole table.
 */

const CALLS = [
  () => '/api/auth/profile',
  (nth: number) => `/api/dashboard/list_activity?page=${(nth % 50) + 1}`,
  () => '/api/dashboard/games_history?page=1',
  () => '/api/dashboard/statistics',
];
const LARGE_TABLES = ['users', 'entries', 'payouts', 'player_totals', 'period_winnings'];

const { values: options } = parseArgs({
  options: {
    json: { type: 'boolean', default: false },
    users: { type: 'string', default: '100000' },
    games: { type: 'string', default: '1000000' },
    clients: { type: 'string', default: '100' },
    seconds: { type: 'string', default: '10' },
  },
});

const postgres = await startPostgres();
const dataDir = mkdtempSync(join(tmpdir(), 'engulf-bench-'));
let server: ChildProcess | undefined;
try {
  // The first start makes the tables and the lobbies, the second sums up the games.
  const first = await startServer();
  await end(first.child);
  const client = new pg.Client(postgres.url);
  await client.connect();
  process.stderr.write(`filling the database with ${options.games} games …\n`);
  await fillDatabase(client, { users: Number(options.users), games: Number(options.games) });
  await client.query('delete from period_cursors');
  const startedAtMs = performance.now();
  const second = await startServer();
  server = second.child;
  process.stderr.write(`second start: ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s\n`);
  await client.query('vacuum analyze');
  const before = await countScans(client);
  const results: CallResult[] = [];
  for (const path of CALLS) {
    process.stderr.write(`${path(0)} …\n`);
    const load = { clients: Number(options.clients), seconds: Number(options.seconds) };
    results.push(await measureCall(second.url, path, load));
  }
  const scans = scansSince(before, await countScans(client));
  await client.end();
  if (options.json) console.log(JSON.stringify({ calls: results, tableScans: scans }));
  else {
    console.table(results);
    console.log('whole tables read:', scans.length === 0 ? 'none' : scans.join(', '));
  }
  process.exitCode = scans.length === 0 && results.every(({ failures }) => failures === 0) ? 0 : 1;
} finally {
  if (server) await end(server);
  await postgres.stop();
  rmSync(dataDir, { recursive: true, force: true });
}

type Scans = ReadonlyMap<string, number>;

async function countScans(client: pg.Client): Promise<Scans> {
  const { rows } = await client.query<{ name: string; scans: string }>(
    'select relname as name, seq_scan as scans from pg_stat_user_tables where relname = any($1)',
    [LARGE_TABLES],
  );
  return new Map(rows.map(({ name, scans }) => [name, Number(scans)]));
}

function scansSince(before: Scans, after: Scans): string[] {
  return [...after].flatMap(([name, scans]) => {
    const times = scans - (before.get(name) ?? 0);
    return times === 0 ? [] : [`${name} (${times} times)`];
  });
}

/** The role api alone, so that nothing else is on the database while it is measured. */
async function startServer(): Promise<{ child: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [join(import.meta.dirname, '../apps/server/src/main.ts')], {
    env: {
      ...process.env,
      NODE_ENV: 'development',
      DATABASE_URL: postgres.url,
      ENGULF_ROLES: 'api',
      ENGULF_DATA_DIR: dataDir,
      PORT: '0',
      LOCALNET_RPC_PORT: '18990',
      LOCALNET_WS_PORT: '18991',
      RATE_LIMIT_SCALE: '1000000',
      LOG_LEVEL: 'error',
    },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const url = await new Promise<string>((resolve, reject) => {
    let output = '';
    child.stdout!.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const found = /runs at\s+(\S+)/.exec(output)?.[1];
      if (found !== undefined) resolve(found);
    });
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${output}`)));
  });
  return { child, url };
}

function end(child: ChildProcess): Promise<void> {
  return new Promise((resolve) => {
    child.once('exit', () => resolve());
    child.kill('SIGTERM');
  });
}

import { parseArgs } from 'node:util';
import { startPostgres } from '@engulf/server/testing/services';
import { createServerHome } from '@engulf/trials/server-home';
import pg from 'pg';
import { fillDatabase } from './api/fill.ts';
import { type CallResult, measureCall } from './api/measure.ts';

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

const postgres = await startPostgres(['fsync=on', 'shared_buffers=256MB', 'max_wal_size=4GB']);
const client = new pg.Client(postgres.url);
await client.connect();
const home = await createServerHome();
/** The role api alone, so that nothing else uses the database while it is measured. */
const environment = {
  DATABASE_URL: postgres.url,
  ENGULF_ROLES: 'api',
  RATE_LIMIT_SCALE: '1000000',
  LOG_LEVEL: 'error',
};
try {
  // The first start makes the tables and the lobbies, the second sums up the games.
  await (await home.start(environment)).kill('SIGINT');
  process.stderr.write(`filling the database with ${options.games} games …\n`);
  await fillDatabase(client, { users: Number(options.users), games: Number(options.games) });
  await client.query('delete from period_cursors');
  const startedAtMs = performance.now();
  const server = await home.start(environment);
  process.stderr.write(`second start: ${((performance.now() - startedAtMs) / 1_000).toFixed(1)} s\n`);
  await client.query('vacuum analyze');
  const before = await countScans(client);
  const results: CallResult[] = [];
  for (const path of CALLS) {
    process.stderr.write(`${path(0)} …\n`);
    const load = { clients: Number(options.clients), seconds: Number(options.seconds) };
    results.push(await measureCall(server.url, path, load));
  }
  const scans = scansSince(before, await countScans(client));
  if (options.json) console.log(JSON.stringify({ calls: results, tableScans: scans }));
  else {
    console.table(results);
    console.log('whole tables read:', scans.length === 0 ? 'none' : scans.join(', '));
  }
  process.exitCode = scans.length === 0 && results.every(({ failures }) => failures === 0) ? 0 : 1;
} finally {
  await client.end();
  await home.dispose();
  await postgres.dispose();
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

import { type ChildProcess, fork } from 'node:child_process';
import { connect } from 'node:net';
import { availableParallelism, loadavg } from 'node:os';
import { join } from 'node:path';
import { endWithUs, type Service, startPostgres, startRedis } from '@engulf/server/testing/services';
import { cpuMsOf, cpuMsOfFamily } from '@engulf/trials/process-usage';
import pg from 'pg';
import type { PartMessage, PartOrder } from './shape-part.ts';

/*
 * npm run load -- --shape 1000 --seconds 30 [--processes 2]
 *
 * What so many players at once write to PostgreSQL and Redis, against the real tables and without arenas, for a while. It says
 * what was full first.
 */

/** From the press on Play to the next one, for the average player. */
const LIFE_S = 120;
/** Above this, somebody waits. */
const SLOW_MS = 1_000;

export async function shape(players: number, seconds: number, asked?: number): Promise<boolean> {
  const processes = asked ?? Math.min(availableParallelism(), Math.ceil(players / LIFE_S / 20));
  const [postgres, redis] = await Promise.all([
    startPostgres(['shared_buffers=512MB', 'max_connections=500']),
    startRedis(),
  ]);
  const db = new pg.Pool({ connectionString: postgres.url });
  try {
    const parts = await Promise.all(
      Array.from({ length: processes }, (_, nth) =>
        openPart({
          databaseUrl: postgres.url,
          redisUrl: redis.url,
          players: players / processes,
          livesPerS: players / processes / LIFE_S,
          seconds,
          looksAtLobbies: nth === 0,
        }),
      ),
    );
    const before = await read(db, postgres, redis);
    const startedMs = performance.now();
    const over = Promise.all(parts.map(({ wait }) => wait('over')));
    const closing = Promise.all(parts.map(({ wait }) => wait('closed')));
    // `over` fails as well then.
    closing.catch(() => undefined);
    for (const part of parts) part.go();
    const overs = await over;
    const tookS = (performance.now() - startedMs) / 1000;
    const after = await read(db, postgres, redis);
    const load = loadavg()[0]!;
    const closed = await closing;
    const sum = (name: 'begun' | 'done' | 'cpuMs') => overs.reduce((all, over) => all + over[name], 0);
    const late = sum('begun') - sum('done');
    const per = (name: keyof typeof before) => (after[name] - before[name]) / tookS;
    const forLife = (ms: number) => round((ms * tookS) / Math.max(1, sum('done')));
    const wantedPerS = players / LIFE_S;
    const ownMs = sum('cpuMs') / tookS;
    console.table({
      'players at once': players,
      'processes that play them': processes,
      'load of the machine': round(load),
      'lives a second, wanted': round(wantedPerS),
      'lives a second, done': round(sum('done') / tookS),
      'lives that waited in the end': late,
      'PostgreSQL: transactions a second': round(per('commits')),
      'PostgreSQL: KB of log a second': round(per('walBytes') / 1024),
      'PostgreSQL: KB on disk for a life': round(forLife(per('bytes')) / 1024),
      'PostgreSQL: cores': round(per('postgresMs') / 1000),
      'PostgreSQL: ms of a core for a life': forLife(per('postgresMs')),
      'Redis: commands a second': round(per('commands')),
      'Redis: cores': round(per('redisMs') / 1000),
      'the processes (stand for api, game and worker): cores': round(ownMs / 1000),
      'the processes: ms of a core for a life': forLife(ownMs),
    });
    const steps = Map.groupBy(
      closed.flatMap((part) => part.steps),
      ([step]) => step,
    );
    const table = [...steps].map(([step, all]) => {
      const sorted = all.flatMap(([, times]) => times).sort((a, b) => a - b);
      const at = (share: number) => round(sorted[Math.floor(sorted.length * share)] ?? 0);
      return [step, { count: sorted.length, 'ms p50': at(0.5), 'ms p99': at(0.99) }] as const;
    });
    console.table(Object.fromEntries(table));
    const failures = closed.flatMap((part) => part.failures);
    for (const [message, count] of failures) console.error(`✗ ${count} times: ${message}`);
    const slow = table.filter(([, { 'ms p99': p99 }]) => p99 > SLOW_MS).map(([step]) => step);
    const isHeld = failures.length === 0 && late <= wantedPerS * 2 && slow.length === 0;
    const used = { PostgreSQL: per('postgresMs'), Redis: per('redisMs'), 'the processes': ownMs };
    const [fullest] = Object.entries(used).toSorted(([, a], [, b]) => b - a)[0]!;
    console.log(
      isHeld ? '\nheld: nothing is full' : `\nfull: ${fullest}; slow: ${slow.join(', ') || 'nothing'}`,
    );
    return isHeld;
  } finally {
    await db.end();
    await Promise.all([postgres.dispose(), redis.dispose()]);
  }
}

type Kind = PartMessage['kind'];

type Part = {
  go(): void;
  /** What it says of this kind. */
  wait<Named extends Kind>(kind: Named): Promise<Extract<PartMessage, { readonly kind: Named }>>;
};

async function openPart(order: PartOrder): Promise<Part> {
  const child: ChildProcess = endWithUs(fork(join(import.meta.dirname, 'shape-part.ts')));
  const wait: Part['wait'] = (kind) =>
    new Promise((resolve, reject) => {
      child.on('message', (message: PartMessage) => {
        if (message.kind === kind) resolve(message as never);
      });
      child.once('exit', () => reject(new Error('A process of the load ended')));
    });
  child.send(order);
  await wait('ready');
  return { go: () => child.send('go'), wait };
}

async function read(db: pg.Pool, postgres: Service, redis: Service) {
  const { rows } = await db.query<{ commits: string; wal: string; bytes: string }>(
    `select (select sum(xact_commit) from pg_stat_database) as commits, pg_current_wal_lsn() - '0/0' as wal,
      pg_database_size(current_database()) as bytes`,
  );
  return {
    commits: Number(rows[0]!.commits),
    walBytes: Number(rows[0]!.wal),
    bytes: Number(rows[0]!.bytes),
    postgresMs: cpuMsOfFamily(postgres.pid),
    commands: await askRedis(redis.url),
    redisMs: cpuMsOf(redis.pid),
  };
}

/** The commands that it has run so far. */
async function askRedis(url: string): Promise<number> {
  const socket = connect(Number(new URL(url).port), '127.0.0.1');
  socket.write('INFO stats\r\n');
  let answer = '';
  for await (const bytes of socket) {
    answer += String(bytes);
    const [, commands] = /total_commands_processed:(\d+)\r/.exec(answer) ?? [];
    if (commands !== undefined) return Number(commands);
  }
  throw new Error('Redis did not answer');
}

const round = (value: number) => Math.round(value * 100) / 100;

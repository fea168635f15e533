import { once } from 'node:events';
import { type AddressInfo, createServer, type Server } from 'node:net';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { isMissing, startPostgres } from '../../../testing/services.ts';
import { type Database, openPool, queryThrough } from './open-database.ts';
import { together } from './together.ts';

/** Accepts connections as PostgreSQL does and hangs up at the first query. */
const failing = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]));
    socket.once('data', () => socket.destroy());
  });
});

function message(type: string, body: Buffer): Buffer {
  const head = Buffer.alloc(5);
  head.write(type);
  head.writeInt32BE(4 + body.length, 1);
  return Buffer.concat([head, body]);
}

const urlOf = (server: Server) =>
  `postgres://user:word@127.0.0.1:${(server.address() as AddressInfo).port}/any`;

beforeAll(async () => {
  failing.listen(0, '127.0.0.1');
  await once(failing, 'listening');
});
afterAll(() => failing.close());

test('a connection lost during a query fails that query and not the pool', async () => {
  const onUncaught = vi.fn();
  const others = process.listeners('uncaughtException');
  process.removeAllListeners('uncaughtException').on('uncaughtException', onUncaught);
  const pool = openPool(urlOf(failing));
  try {
    const client = await pool.connect();
    await expect(client.query('select 1')).rejects.toThrow('Connection terminated');
    await new Promise((done) => setTimeout(done, 50));
    client.release();
    expect(onUncaught).not.toHaveBeenCalled();
    expect(pool.totalCount).toBe(0);
  } finally {
    process.removeAllListeners('uncaughtException');
    for (const other of others) process.on('uncaughtException', other);
    await pool.end();
  }
});

test('transactions that cannot begin do not leak connections', async () => {
  const pool = openPool(urlOf(failing));
  const db = queryThrough(pool);
  for (let attempt = 0; attempt <= pool.options.max; attempt++) {
    await expect(db.transaction(async () => undefined)).rejects.toThrow('begin');
  }
  expect(pool.totalCount).toBe(0);
  await pool.end();
});

/** Accepts connections as PostgreSQL does and never says anything else, like a machine that lost its power. */
const silent = createServer((socket) => {
  socket.on('error', () => undefined);
  socket.once('data', () => {
    socket.write(Buffer.concat([message('R', Buffer.alloc(4)), message('Z', Buffer.from('I'))]));
  });
});

test('a database that is silent fails what waits for it, and the connections are not used again', async () => {
  silent.listen(0, '127.0.0.1');
  await once(silent, 'listening');
  const pool = openPool(urlOf(silent), 100);
  const db = queryThrough(pool);
  try {
    const queries = Array.from({ length: 2 * pool.options.max }, () => pool.query('select 1'));
    for (const query of await Promise.allSettled(queries)) expect(query.status).toBe('rejected');
    await expect(db.transaction(async () => undefined)).rejects.toThrow('begin');
    expect(pool.totalCount).toBe(0);
  } finally {
    await pool.end();
    silent.close();
  }
});

describe.skipIf(isMissing('postgres'))('transactions on one connection (need postgres)', () => {
  test('share plans, also with statements that failed and columns that were added', async () => {
    const postgres = await startPostgres();
    const pool = openPool(`${postgres.url}?max=1`);
    const db = queryThrough(pool);
    const add = (tx: Database, value: number) =>
      tx.execute<{ value: number }>(sql`insert into numbers values (${value}) returning value`);
    try {
      await pool.query('create table numbers (value int primary key check (value > 0))');
      // Sent together: the second knows the name before the first is answered.
      await db.transaction((tx) => together([add(tx, 1).execute(), add(tx, 2).execute()]));
      const failing = db.transaction((tx) => together([add(tx, -1).execute(), add(tx, 3).execute()]));
      await expect(failing).rejects.toMatchObject({ cause: { code: '23514' } });
      const first = db.transaction((tx) =>
        together([
          tx.execute(sql`select ${1} from nowhere`).execute(),
          tx.execute(sql`select ${7}::int`).execute(),
        ]),
      );
      await expect(first).rejects.toMatchObject({ cause: { code: '42P01' } });
      await db.transaction((tx) => tx.execute(sql`select ${7}::int`));
      await pool.query('alter table numbers add column other int');
      const { rows } = await db.transaction((tx) => add(tx, 3).execute());
      expect(rows).toEqual([{ value: 3 }]);
      const kept = await pool.query('select statement from pg_prepared_statements');
      expect(kept.rows.filter(({ statement }) => statement.includes('into numbers'))).toHaveLength(1);
      expect((await pool.query('select value from numbers order by 1')).rows).toEqual(
        [1, 2, 3].map((value) => ({ value })),
      );
    } finally {
      await pool.end();
      await postgres.dispose();
    }
  });
});

describe.skipIf(isMissing('postgres'))(
  'a process that stands still in a transaction (needs postgres)',
  () => {
    test('loses its locks, so that others can take over', async () => {
      const postgres = await startPostgres();
      const pools = [
        openPool(postgres.url),
        openPool(`${postgres.url}?idle_in_transaction_session_timeout=300`),
      ];
      const [others, frozen] = pools as [(typeof pools)[0], (typeof pools)[0]];
      try {
        const { rows } = await others.query('show idle_in_transaction_session_timeout');
        expect(rows).toEqual([{ idle_in_transaction_session_timeout: '5s' }]);
        await others.query('create table leases (id int primary key)');
        await others.query('insert into leases values (1)');
        const client = await frozen.connect();
        await client.query('begin; select from leases for share');
        expect((await others.query('delete from leases')).rowCount).toBe(1);
        await expect(client.query('select 1')).rejects.toThrow();
        client.release();
        expect((await frozen.query('select 1')).rowCount).toBe(1);
      } finally {
        for (const pool of pools) await pool.end();
        await postgres.dispose();
      }
    });
  },
);

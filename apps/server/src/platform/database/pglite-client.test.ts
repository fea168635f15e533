import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Worker } from 'node:worker_threads';
import { PGlite } from '@electric-sql/pglite';
import { count, eq, sql } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { placeTestDatabase } from '../../../testing/test-database.ts';
import { type OpenDatabase, openDatabase } from './open-database.ts';
import { referralCodes, signInNonces } from './people.ts';
import { hasSqlState, UNIQUE_VIOLATION } from './sql-state.ts';

const home = mkdtempSync(join(tmpdir(), 'engulf-thread-'));
const folder = join(home, 'database');
let database: OpenDatabase;

beforeAll(async () => {
  database = await openEmbedded(folder);
});
afterEach(() => vi.restoreAllMocks());
afterAll(async () => {
  await database.close();
  rmSync(home, { recursive: true });
});

/** Making one from nothing takes seconds. */
async function openEmbedded(path: string, onLost?: () => void): Promise<OpenDatabase> {
  await placeTestDatabase(path);
  return openDatabase({ kind: 'embedded', folder: path }, onLost);
}

/**
 * The longest time this thread computes between two ticks of a 40 ms timer, the tick of a match, while `work` runs.
 * Measured in processor time, so that other programs on the machine do not matter.
 */
async function worstDelayMs(work: () => Promise<unknown>): Promise<number> {
  let worst = 0;
  let before = process.threadCpuUsage();
  const turn = () => {
    const { user, system } = process.threadCpuUsage(before);
    worst = Math.max(worst, (user + system) / 1000);
    before = process.threadCpuUsage();
  };
  const timer = setInterval(turn, 40);
  await work();
  turn();
  clearInterval(timer);
  return worst;
}

const SLOW = sql`select count(*) from generate_series(1, 3000)`;
const thousandQueries = ({ db }: Pick<OpenDatabase, 'db'>) =>
  Promise.all(Array.from({ length: 1_000 }, () => db.execute(SLOW)));

test('a thousand waiting queries delay no tick of a match, as they do on the same thread', async () => {
  const client = await PGlite.create('memory://');
  const onSameThread = await openDatabase({ kind: 'client', client });
  const blockedMs = await worstDelayMs(() => thousandQueries(onSameThread));
  await onSameThread.close();
  const delayMs = await worstDelayMs(() => thousandQueries(database));
  expect(blockedMs).toBeGreaterThan(200);
  expect(delayMs).toBeLessThan(Math.min(100, blockedMs / 3));
});

describe('the embedded database in its thread', () => {
  test('returns values of every type as PGlite does on the same thread', async () => {
    const client = await PGlite.create('memory://');
    const onSameThread = await openDatabase({ kind: 'client', client });
    const query = sql`select 1 as int4, 9007199254740993::int8 as int8, 123456789012345678901::numeric as num,
      '2026-01-02T03:04:05.678Z'::timestamptz as at, '2026-01-02'::date as day, '{"a":[1,null]}'::jsonb as json,
      true as bool, null as nothing, array[1,2] as ints, array['a','b'] as texts, '\\x01ff'::bytea as bytes,
      array['2026-01-02'::date] as days, '1 day'::interval as span, gen_random_uuid() is null as uuid`;
    const [here, there] = [await onSameThread.db.execute(query), await database.db.execute(query)];
    await onSameThread.close();
    expect(there.rows).toEqual(here.rows);
    const expiresAt = new Date('2026-01-02T03:04:05.678Z');
    const input = { domain: 'd', nonce: 'n' } as never;
    await database.db.insert(signInNonces).values({ nonce: 'n', input, expiresAt });
    expect(await database.db.select().from(signInNonces)).toEqual([{ nonce: 'n', input, expiresAt }]);
  });

  test('reports errors with the code of PostgreSQL', async () => {
    const insert = () => database.db.insert(referralCodes).values({ code: 'TWICE' });
    await insert();
    const error = await insert().then(
      () => undefined,
      (reason: unknown) => reason,
    );
    expect(hasSqlState(error, UNIQUE_VIOLATION)).toBe(true);
  });

  test('runs no other statement between those of a transaction', async () => {
    const { db } = database;
    await db.insert(referralCodes).values({ code: 'COUNT' });
    const isCounter = eq(referralCodes.code, 'COUNT');
    const increase = () =>
      db.transaction(async (tx) => {
        const [row] = await tx.select().from(referralCodes).where(isCounter);
        await new Promise((done) => setTimeout(done, 1));
        await tx
          .update(referralCodes)
          .set({ uses: row!.uses + 1 })
          .where(isCounter);
      });
    await Promise.all(Array.from({ length: 20 }, increase));
    expect(await db.select().from(referralCodes).where(isCounter)).toMatchObject([{ uses: 20 }]);
  });

  test('rolls a failed transaction back, and a nested one to where it began', async () => {
    const { db } = database;
    const add = (tx: Pick<typeof db, 'insert'>, code: string) => tx.insert(referralCodes).values({ code });
    const failing = db.transaction(async (tx) => {
      await add(tx, 'LOST');
      throw new Error('on purpose');
    });
    await expect(failing).rejects.toThrow('on purpose');
    await db.transaction(async (tx) => {
      await add(tx, 'KEPT');
      const inner = tx.transaction(async (nested) => {
        await add(nested, 'GONE');
        throw new Error('on purpose');
      });
      await expect(inner).rejects.toThrow('on purpose');
    });
    const codes = (await db.select().from(referralCodes)).map(({ code }) => code);
    expect(codes).toContain('KEPT');
    expect(codes).not.toContain('LOST');
    expect(codes).not.toContain('GONE');
  });

  test('refuses a statement of a transaction that has ended', async () => {
    let escaped: OpenDatabase['db'] | undefined;
    await database.db.transaction(async (tx) => {
      escaped = tx;
    });
    await expect(escaped!.execute(sql`select 1`)).rejects.toThrow();
  });
});

test('a thread that dies rejects everything that waits, at once and later, and reports it', async () => {
  const post = vi.spyOn(Worker.prototype, 'postMessage');
  const onLost = vi.fn();
  const { db, close } = await openEmbedded(join(home, 'dying'), onLost);
  const worker = post.mock.contexts.at(-1) as Worker;
  const inTransaction = db.transaction(async (tx) => {
    await tx.execute(sql`select pg_sleep(0)`);
    await new Promise((done) => setTimeout(done, 50));
    await tx.execute(sql`select 1`);
  });
  const waiting = db.execute(SLOW);
  const outcomes = Promise.allSettled([inTransaction, waiting]);
  await worker.terminate();
  expect((await outcomes).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
  await expect(db.execute(sql`select 1`)).rejects.toThrow();
  expect(onLost).toHaveBeenCalledOnce();
  await close();
});

test('a folder that cannot be opened fails the start', async () => {
  const file = join(home, 'file');
  writeFileSync(file, '');
  const onLost = vi.fn();
  await expect(openDatabase({ kind: 'embedded', folder: join(file, 'sub') }, onLost)).rejects.toThrow();
  await expect(openDatabase({ kind: 'embedded', folder: file }, onLost)).rejects.toThrow();
  expect(onLost).not.toHaveBeenCalled();
});

test('rows that were acknowledged outlive a killed process', async () => {
  const path = join(home, 'killed');
  await placeTestDatabase(path);
  const script = `
    import { openDatabase } from ${JSON.stringify(join(import.meta.dirname, 'open-database.ts'))};
    import { referralCodes } from ${JSON.stringify(join(import.meta.dirname, 'people.ts'))};
    const { db } = await openDatabase({ kind: 'embedded', folder: ${JSON.stringify(path)} });
    for (let row = 0; ; row++) {
      await db.insert(referralCodes).values({ code: 'ROW' + row });
      console.log(row);
    }`;
  const child = spawn(process.execPath, ['--input-type=module-typescript', '-e', script], {
    stdio: ['ignore', 'pipe', 'inherit'],
    cwd: import.meta.dirname,
  });
  let acknowledged = 0;
  child.stdout.on('data', (chunk: Buffer) => {
    acknowledged += chunk.toString().split('\n').length - 1;
    if (acknowledged > 100) child.kill('SIGKILL');
  });
  await once(child, 'close');
  const { db, close } = await openDatabase({ kind: 'embedded', folder: path });
  const [row] = await db.select({ count: count() }).from(referralCodes);
  await close();
  expect(row!.count).toBeGreaterThanOrEqual(acknowledged);
});

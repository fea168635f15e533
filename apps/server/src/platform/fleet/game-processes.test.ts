import { randomUUID } from 'node:crypto';
import { eq, sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { soon } from '../../../testing/soon.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import type { Context } from '../context.ts';
import { gameProcesses } from '../database/games.ts';
import type { OpenDatabase } from '../database/open-database.ts';
import { forgetAllProcesses, startDeathWatch, startHeartbeat } from './game-processes.ts';

let database: OpenDatabase;
let context: Context;
/** Moved by hand. The watch looks whenever its timer is run. */
let nowMs = 0;
let runTimer: (() => void) | undefined;
let watch: { stop(): Promise<void> };

const timers = {
  monotonicMs: () => nowMs,
  setTimer: (_delayMs: number, run: () => void) => {
    runTimer = run;
    return () => {};
  },
};

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.db.delete(gameProcesses);
  context = { db: database.db, logger: pino({ level: 'silent' }), processId: randomUUID() } as Context;
  await insertProcess('other');
  runTimer = undefined;
  watch = startDeathWatch(context, timers);
  await soon(() => expect(runTimer).toBeDefined());
});
afterEach(() => watch.stop());
afterAll(() => database.close());

const insertProcess = (id: string) => database.db.insert(gameProcesses).values({ id, version: '1' });
const isAlive = async (id: string) =>
  (await database.db.select().from(gameProcesses).where(eq(gameProcesses.id, id))).length > 0;
const beat = (id: string) =>
  database.db
    .update(gameProcesses)
    .set({ beats: sql`${gameProcesses.beats} + 1` })
    .where(eq(gameProcesses.id, id));

async function lookAfter(ms: number): Promise<void> {
  nowMs += ms;
  const run = runTimer!;
  runTimer = undefined;
  run();
  await soon(() => expect(runTimer).toBeDefined());
}

test('a process whose heartbeat stops is declared dead within six seconds', async () => {
  for (let waited = 0; waited < 5_000; waited += 500) await lookAfter(500);
  expect(await isAlive('other')).toBe(true);
  await lookAfter(500);
  expect(await isAlive('other')).toBe(false);
});

test('a process with a slow heartbeat is alive', async () => {
  for (let second = 0; second < 20; second++) {
    if (second % 4 === 0) await beat('other');
    await lookAfter(1_000);
  }
  expect(await isAlive('other')).toBe(true);
});

test('an observer that could not read for a while starts over', async () => {
  for (let waited = 0; waited < 4_500; waited += 500) await lookAfter(500);
  await lookAfter(10_000);
  for (let waited = 0; waited < 4_500; waited += 500) await lookAfter(500);
  expect(await isAlive('other')).toBe(true);
  await lookAfter(1_000);
  expect(await isAlive('other')).toBe(false);
});

test('a process whose row was deleted is told to end', async () => {
  vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] });
  try {
    const onDeclaredDead = vi.fn();
    const heartbeat = await startHeartbeat(
      context,
      { address: null, version: '1', isAlone: true },
      onDeclaredDead,
    );
    expect(await isAlive(context.processId)).toBe(true);
    await forgetAllProcesses(context);
    vi.advanceTimersByTime(30_000);
    await soon(() => expect(onDeclaredDead).toHaveBeenCalledOnce());
    expect(await isAlive(context.processId)).toBe(false);
    await heartbeat.stop();
  } finally {
    vi.useRealTimers();
  }
});

import { type LobbyId, walletAddress } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { randomBase58 } from '../../testing/random-base58.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { solvencyHistory } from '../platform/database/solvency.ts';
import { createHistoryReader } from './history.ts';
import { recordReading } from './record-reading.ts';

const HOUR_MS = 3_600_000;
const START_MS = Date.parse('2026-03-01T00:00:00Z');
let database: OpenDatabase;
let context: Context;
let lobby: LobbyId;
let nowMs = START_MS;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, { nowMs: () => nowMs });
});
beforeEach(async () => {
  nowMs = START_MS;
  lobby = (await newPaidLobby(database.db)).id;
});
afterAll(() => database.close());

async function record(atMs: number, isCovered = true, slot = BigInt(atMs)): Promise<void> {
  nowMs = atMs;
  await recordReading(context, lobby, {
    account: walletAddress(randomBase58(32)),
    readAtMs: atMs,
    slot,
    pool: 10n,
    bounties: isCovered ? 10n : 11n,
    spill: 0n,
    payouts: 0n,
    gifts: 0n,
    people: 1,
    isCovered,
  });
}

const read = (before?: string) => createHistoryReader(context)(lobby, before);
const states = async () => (await read()).rows.map(({ isCovered }) => isCovered);

test('one reading of every hour is kept, and every change of state', async () => {
  for (let minute = 0; minute < 120; minute += 10) await record(START_MS + minute * 60_000);
  expect(await states()).toEqual([true, true]);
  await record(START_MS + 2 * HOUR_MS - 2_000, false);
  await record(START_MS + 2 * HOUR_MS - 1_000, false);
  await record(START_MS + 2 * HOUR_MS, true);
  expect(await states()).toEqual([true, false, true, true]);
});

test('a reading of an earlier slot replaces nothing', async () => {
  await record(START_MS + 1_000, true, 50n);
  await record(START_MS + 2_000, false, 49n);
  expect(await states()).toEqual([true]);
});

test('readings of two workers at the same moment are one row', async () => {
  await Promise.all([record(START_MS, true, 7n), record(START_MS, true, 7n)]);
  expect(await states()).toEqual([true]);
});

test('a year is there, a week at a time, without gaps or repetitions', async () => {
  const hours = 366 * 24;
  await database.db.execute(sql`
    insert into solvency_history
      (lobby_id, read_at, hour, slot, pool, bounties, spill, payouts, gifts, people, is_covered)
    select ${lobby}, at, at, 1, 1, 1, 0, 0, 0, 1, true
    from generate_series(${new Date(START_MS).toISOString()}::timestamptz,
      ${new Date(START_MS + (hours - 1) * HOUR_MS).toISOString()}::timestamptz, interval '1 hour') as at
  `);
  nowMs = START_MS + hours * HOUR_MS - 1;
  const seen: string[] = [];
  for (let before: string | undefined; ; ) {
    const page = await read(before);
    seen.push(...page.rows.map(({ readAt }) => readAt));
    if (page.nextBefore === null) break;
    before = page.nextBefore;
  }
  expect(seen).toHaveLength(hours);
  expect(new Set(seen).size).toBe(hours);
  expect(seen).toEqual(seen.toSorted().toReversed());
});

test('the history cannot be changed or deleted', async () => {
  await record(START_MS);
  await expect(database.db.update(solvencyHistory).set({ isCovered: false })).rejects.toThrow();
  await expect(database.db.delete(solvencyHistory)).rejects.toThrow();
});

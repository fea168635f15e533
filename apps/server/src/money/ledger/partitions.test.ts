import { randomUUID } from 'node:crypto';
import { entryId } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { auditLedger } from '../../../testing/audit-ledger.ts';
import { newPaidLobby } from '../../../testing/new-lobby.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { bountyOf, poolOf } from './accounts.ts';
import { addLedgerPartition } from './partitions.ts';
import { post } from './post.ts';

/** Where the first partition of a new ledger ends. */
const FIRST_END = 20_000_000;
const POSTINGS = 1_000;

describe('the ledger lies in partitions', () => {
  let database: OpenDatabase;
  beforeEach(async () => {
    database = await openTestDatabase();
  });
  afterEach(() => database.close());

  const logger = pino({ level: 'silent' });
  const add = () => addLedgerPartition({ db: database.db, logger }, POSTINGS);
  const postSome = async (count: number) => {
    const lobby = (await newPaidLobby(database.db)).id;
    const postings = Array.from({ length: count }, () => ({
      debit: poolOf(lobby),
      credit: bountyOf(lobby, entryId(randomUUID())),
      amount: 1n,
    }));
    await database.db.transaction((tx) => post(tx, { key: randomUUID(), lobbyId: lobby, postings }));
  };
  /** As if so many had been posted. */
  const skipTo = (id: number) =>
    database.db.execute(sql`select setval('ledger_postings_id_seq', ${id}::bigint)`);
  const countByPartition = async () => {
    const { rows } = await database.db.execute<{ name: string; count: number }>(sql`
      select tableoid::regclass::text as name, count(*)::int as count from ledger_postings group by 1`);
    return Object.fromEntries(rows.map(({ name, count }) => [name, count]));
  };
  const listPartitions = async () => {
    const { rows } = await database.db.execute<{ name: string }>(sql`
      select inhrelid::regclass::text as name from pg_inherits
      where inhparent = 'ledger_postings'::regclass order by inhrelid`);
    return rows.map(({ name }) => name);
  };

  test('of which another is added when the last one is half full, and by one worker of several', async () => {
    await postSome(2);
    expect(await add()).toBe(false);
    await skipTo(FIRST_END / 2);
    await postSome(1);
    expect((await Promise.all([add(), add(), add()])).filter(Boolean)).toHaveLength(1);
    expect(await listPartitions()).toEqual([
      'ledger_postings_0',
      'ledger_postings_rest',
      `ledger_postings_${FIRST_END}`,
    ]);
    await skipTo(FIRST_END - 3);
    await postSome(5);
    expect(await countByPartition()).toEqual({
      ledger_postings_0: 5,
      [`ledger_postings_${FIRST_END}`]: 3,
    });
    expect((await auditLedger(database.db)).faults).toEqual([]);
  });

  test('and a posting that no partition is for finds its place, also after one has been added', async () => {
    await skipTo(FIRST_END + 10);
    await postSome(2);
    expect(await add()).toBe(true);
    await postSome(2);
    await skipTo(FIRST_END + 12 + POSTINGS);
    await postSome(2);
    expect(await countByPartition()).toEqual({
      ledger_postings_rest: 4,
      [`ledger_postings_${FIRST_END + 12 + POSTINGS}`]: 2,
    });
    expect((await auditLedger(database.db)).faults).toEqual([]);
  });

  test('none of which lets anything be changed, deleted or emptied by its own name', async () => {
    await skipTo(FIRST_END / 2);
    await postSome(1);
    expect(await add()).toBe(true);
    const partitions = await listPartitions();
    expect(partitions).toHaveLength(3);
    for (const name of partitions.map((partition) => sql.identifier(partition))) {
      for (const change of [
        sql`update ${name} set amount = 2`,
        sql`delete from ${name}`,
        sql`truncate ${name}`,
      ]) {
        await expect(database.db.execute(change)).rejects.toMatchObject({
          cause: { message: expect.stringContaining('is append-only') },
        });
      }
    }
  });

  // Transactions of the embedded database never meet.
  const testOnServer = test.runIf(process.env['TEST_DATABASE_URL']);

  testOnServer('and none is added in the middle of a posting, nor fails one', async () => {
    await skipTo(FIRST_END / 2);
    let hasEnded = false;
    const writing = Array.from({ length: 6 }, async () => {
      while (!hasEnded) await postSome(3);
    });
    while (!(await add()));
    await postSome(3);
    hasEnded = true;
    await Promise.all(writing);
    expect((await auditLedger(database.db)).faults).toEqual([]);
  });

  testOnServer('and a long read holds up neither postings nor the next try', async () => {
    await skipTo(FIRST_END / 2);
    await postSome(1);
    const reading = Promise.withResolvers<void>();
    const isRead = Promise.withResolvers<void>();
    const reader = database.db.transaction(async (tx) => {
      await tx.execute(sql`select count(*) from ledger_postings`);
      isRead.resolve();
      await reading.promise;
    });
    await isRead.promise;
    expect(await add()).toBe(false);
    await postSome(1);
    reading.resolve();
    await reader;
    expect(await add()).toBe(true);
  });
});

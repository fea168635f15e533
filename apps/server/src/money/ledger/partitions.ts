import { sql } from 'drizzle-orm';
import type { Context } from '../../platform/context.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { hasSqlState, LOCK_NOT_AVAILABLE } from '../../platform/database/sql-state.ts';

/*
 * The ledger is never shortened. Its postings lie in partitions by their ids, which count up, so that the indices in use stay as
 * large as a partition, and old partitions can lie on another disk. Nobody but this file knows of them.
 */

/**
 * How long each lock may take, while writers wait behind us. Where a long read, such as a backup, holds one, the partition is added
 * the next time.
 */
const LOCK_WITHIN_MS = 500;

/** Adds a partition for so many postings when the last one is half full. True if it did. Several workers may try at once. */
export async function addLedgerPartition(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  postings: number,
): Promise<boolean> {
  if (!(await findGap(db, postings))) return false;
  try {
    const name = await db.transaction((tx) => fillGap(tx, postings));
    if (name) logger.info({ partition: name, postings }, 'the ledger has another partition');
    return name !== undefined;
  } catch (error) {
    if (hasSqlState(error, LOCK_NOT_AVAILABLE)) return false;
    throw error;
  }
}

async function fillGap(tx: Database, postings: number): Promise<string | undefined> {
  const run = (text: string) => tx.execute(sql.raw(text));
  await run(`set local lock_timeout = ${LOCK_WITHIN_MS}`);
  // In the order in which postings are written, so that no writer can wait for us while we wait for it.
  await run('lock table ledger_transactions, ledger_accounts in share row exclusive mode');
  await run('lock table only ledger_postings in access exclusive mode');
  // Another worker may have been quicker.
  const gap = await findGap(tx, postings);
  if (!gap) return undefined;
  const name = `ledger_postings_${gap.from}`;
  await run(`create table ${name} partition of ledger_postings for values from (${gap.from}) to (${gap.to})`);
  // That of the whole table does not see what is done to a partition by its own name.
  await run(
    `create trigger ledger_postings_append_only before update or delete or truncate on ${name}
      for each statement execute function refuse_change()`,
  );
  return name;
}

type Gap = { readonly from: bigint; readonly to: bigint };

/** The ids of the next partition. Undefined while the last one is less than half full. */
async function findGap(db: Database, postings: number): Promise<Gap | undefined> {
  const { rows } = await db.execute<{ bounds: string; newest: string }>(sql`
    select
      (select string_agg(pg_get_expr(relpartbound, oid), ' ') from pg_class
        join pg_inherits on inhrelid = oid where inhparent = 'ledger_postings'::regclass) as bounds,
      (select coalesce(max(id), 0)::text from ledger_postings) as newest`);
  const [{ bounds, newest }] = rows as [{ bounds: string; newest: string }];
  const ranges = [...bounds.matchAll(/FROM \((?:'(\d+)'|MINVALUE)\) TO \('(\d+)'\)/g)];
  const [from, to] = ranges
    .map(([, first = '0', end]) => [BigInt(first), BigInt(end!)] as const)
    .reduce((last, range) => (range[1] > last[1] ? range : last));
  const reached = BigInt(newest);
  if (2n * reached < from + to) return undefined;
  // Beyond the last one only if no worker came for long. What is there stays where it is.
  const start = reached < to ? to : reached + BigInt(postings);
  return { from: start, to: start + BigInt(postings) };
}

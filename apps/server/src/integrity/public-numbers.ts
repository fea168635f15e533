import { sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { integrityCases } from '../platform/database/integrity.ts';
import { rememberFor } from '../platform/remember.ts';

export type Month = {
  readonly month: string;
  readonly opened: number;
  readonly acted: number;
  readonly dismissed: number;
};

const KEPT_MS = 60_000;
const MONTHS = 12;

/**
 * Cases per month, without names, of the months that are over: a number that grew with every case would tell who tries out what
 * is found. Read once a minute for any number of visitors.
 */
export function createPublicNumbers(context: Pick<Context, 'db' | 'nowMs'>): () => Promise<readonly Month[]> {
  const read = rememberFor({ ms: KEPT_MS, maxKeys: 1, nowMs: context.nowMs }, () => readMonths(context));
  return () => read(undefined);
}

async function readMonths({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>): Promise<readonly Month[]> {
  const rows = await db
    .select({
      opened: sql<string>`to_char(${integrityCases.openedAt} at time zone 'UTC', 'YYYY-MM')`,
      decided: sql<string | null>`to_char(${integrityCases.decidedAt} at time zone 'UTC', 'YYYY-MM')`,
      state: integrityCases.state,
      count: sql<number>`count(*)::int`,
    })
    .from(integrityCases)
    .groupBy(sql`1, 2, 3`);
  const thisMonth = new Date(nowMs()).toISOString().slice(0, 'YYYY-MM'.length);
  const months = [...new Set(rows.flatMap(({ opened, decided }) => [opened, decided ?? opened]))]
    .filter((month) => month < thisMonth)
    .sort()
    .reverse();
  const sum = (wanted: typeof rows) => wanted.reduce((total, row) => total + row.count, 0);
  return months.slice(0, MONTHS).map((month) => ({
    month,
    opened: sum(rows.filter((row) => row.opened === month)),
    acted: sum(rows.filter((row) => row.decided === month && row.state === 'acted')),
    dismissed: sum(rows.filter((row) => row.decided === month && row.state === 'dismissed')),
  }));
}

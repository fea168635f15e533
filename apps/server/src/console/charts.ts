import type { ConsoleSection } from '@engulf/protocol/http/console';
import { gt, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { consoleMinutes } from '../platform/database/operations.ts';

const HOUR_MS = 3_600_000;
const RANGES = {
  day: { spanMs: 24 * HOUR_MS, stepMs: HOUR_MS / 12 },
  month: { spanMs: 30 * 24 * HOUR_MS, stepMs: 2 * HOUR_MS },
} as const;
const LAMPORTS_PER_SOL = 1e9;

type Chart = { readonly title: string; readonly unit: string; readonly series: readonly (keyof Point)[] };

/** Figures to look at, so they may be rounded. */
type Point = Record<'players' | 'p99' | 'in' | 'out' | 'average', number | null>;

const CHARTS = {
  players: { title: 'Players', unit: '', series: ['players'] },
  ticks: { title: 'Slowest ticks', unit: 'ms', series: ['p99'] },
  money: { title: 'Money into and out of the pools', unit: 'SOL', series: ['in', 'out'] },
  payouts: { title: 'Time of payouts', unit: 's', series: ['average'] },
} as const satisfies { readonly [name: string]: Chart };

export async function readCharts(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  range: keyof typeof RANGES,
  names: readonly (keyof typeof CHARTS)[],
): Promise<ConsoleSection[]> {
  const { spanMs, stepMs } = RANGES[range];
  const lastStep = Math.floor(nowMs() / stepMs);
  const count = spanMs / stepMs;
  const firstStep = lastStep - count + 1;
  const { at, players, slowTickMs, lamportsIn, lamportsOut, payoutMs } = consoleMinutes;
  const step = sql<number>`floor(extract(epoch from ${at}) * 1000 / ${sql.raw(String(stepMs))})::int`;
  const rows = await db
    .select({
      step,
      players: sql<number | null>`max(${players})::float8`,
      p99: sql<number | null>`max(${slowTickMs})::float8`,
      in: sql<number | null>`(sum(${lamportsIn}) / ${sql.raw(String(LAMPORTS_PER_SOL))})::float8`,
      out: sql<number | null>`(sum(${lamportsOut}) / ${sql.raw(String(LAMPORTS_PER_SOL))})::float8`,
      average: sql<number | null>`(avg(${payoutMs}) / 1000)::float8`,
    })
    .from(consoleMinutes)
    .where(gt(at, new Date(firstStep * stepMs - 1)))
    .groupBy(step);
  const byStep = new Map<number, Point>(rows.map(({ step: key, ...point }) => [key, point]));
  return names.map((name) => ({
    kind: 'chart',
    title: CHARTS[name].title,
    unit: CHARTS[name].unit,
    from: new Date(firstStep * stepMs).toISOString(),
    stepMs,
    series: CHARTS[name].series.map((label) => ({
      label,
      points: Array.from({ length: count }, (_, index) => byStep.get(firstStep + index)?.[label] ?? null),
    })),
  }));
}

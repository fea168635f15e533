import { sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { rebuildRollups } from './rollups.ts';

/** Where the kept sums differ from those that the entries give. */
export type RollupDifferences = {
  readonly players: number;
  readonly winnings: number;
  /** The first of them, one line each. */
  readonly examples: readonly string[];
};

const MAX_EXAMPLES = 20;

class Undo extends Error {}

/** Rebuilds the sums, compares, and rolls back. Settlements wait in the meantime. */
export async function compareRollups({
  db,
  nowMs,
}: Pick<Context, 'db' | 'nowMs'>): Promise<RollupDifferences> {
  let differences: RollupDifferences | undefined;
  try {
    await db.transaction(async (tx) => {
      await tx.execute(sql`create temp table kept_totals on commit drop as select * from player_totals`);
      await tx.execute(sql`create temp table kept_winnings on commit drop as select * from period_winnings`);
      await rebuildRollups({ db: tx, nowMs });
      differences = await compare(tx);
      throw new Undo();
    });
  } catch (error) {
    if (!(error instanceof Undo)) throw error;
  }
  return differences!;
}

async function compare(tx: Database): Promise<RollupDifferences> {
  const players = await linesOf(
    tx,
    sql`select 'player ' || coalesce(kept.user_id, summed.user_id) || ': ' || coalesce(row_to_json(kept)::text, 'nothing')
        || ' → ' || coalesce(row_to_json(summed)::text, 'nothing') as line
      from kept_totals kept full join player_totals summed on kept.user_id = summed.user_id
      where row(kept.*) is distinct from row(summed.*)`,
  );
  const winnings = await linesOf(
    tx,
    sql`select coalesce(kept.days, summed.days) || ' days of player ' || coalesce(kept.user_id, summed.user_id) || ': '
        || coalesce(kept.amount, 0) || ' → ' || coalesce(summed.amount, 0) as line
      from kept_winnings kept full join period_winnings summed
        on kept.days = summed.days and kept.user_id = summed.user_id
      where kept.amount is distinct from summed.amount`,
  );
  return {
    players: players.count,
    winnings: winnings.count,
    examples: [...players.lines, ...winnings.lines].slice(0, MAX_EXAMPLES),
  };
}

async function linesOf(tx: Database, query: ReturnType<typeof sql>) {
  const { rows } = await tx.execute<{ line: string; count: string }>(
    sql`select line, count(*) over ()::text as count from (${query}) lines order by line limit ${MAX_EXAMPLES}`,
  );
  return { count: Number(rows[0]?.count ?? 0), lines: rows.map(({ line }) => line) };
}

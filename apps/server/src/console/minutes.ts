import { desc, lt, max, sql } from 'drizzle-orm';
import { listAllLobbies } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { gameProcesses, lobbies } from '../platform/database/games.ts';
import { ledgerAccounts, ledgerPostings, payouts } from '../platform/database/money.ts';
import { consoleMinutes } from '../platform/database/operations.ts';

const MINUTE_MS = 60_000;

/**
 * Writes what the charts show of the last minute. Money is counted along the ledger from where the row before stopped, so that it costs the same however long the ledger is. Of two workers, the first one counts.
 */
export async function noteMinute(context: Pick<Context, 'db' | 'presence' | 'nowMs'>): Promise<void> {
  const { db, nowMs } = context;
  const at = new Date(Math.floor(nowMs() / MINUTE_MS) * MINUTE_MS);
  const [last] = await db.select().from(consoleMinutes).orderBy(desc(consoleMinutes.at)).limit(1);
  const [newest] = await db.select({ id: max(ledgerPostings.id) }).from(ledgerPostings);
  const lastPosting = BigInt(newest?.id ?? 0);
  const [ticks] = await db.select({ slow: max(gameProcesses.slowTickMs) }).from(gameProcesses);
  const flows = await readFlows(context, last?.lastPosting ?? lastPosting, lastPosting);
  await db
    .insert(consoleMinutes)
    .values({
      at,
      players: await countPlayers(context),
      slowTickMs: ticks?.slow ?? null,
      ...flows,
      lastPosting,
    })
    .onConflictDoNothing();
}

export async function forgetMinutes({ db }: Pick<Context, 'db'>, before: Date): Promise<void> {
  await db.delete(consoleMinutes).where(lt(consoleMinutes.at, before));
}

async function countPlayers({ db, presence }: Pick<Context, 'db' | 'presence'>): Promise<number> {
  const rooms = await Promise.all((await listAllLobbies(db)).map(({ id }) => presence.read(id)));
  return rooms.reduce((sum, room) => sum + (room?.totalPlayers ?? 0), 0);
}

/** Stakes and payouts in SOL between two postings, and how long the payouts took. */
async function readFlows({ db }: Pick<Context, 'db'>, after: bigint, upTo: bigint) {
  const { rows } = await db.execute<{ in: string | null; out: string | null; ms: number | null }>(sql`
    select
      sum(p.amount) filter (where debited.kind = 'pool') as in,
      sum(p.amount) filter (where credited.kind = 'pool') as out,
      avg(extract(epoch from (paid.completed_at - paid.created_at)) * 1000)
        filter (where credited.kind = 'pool' and paid.completed_at is not null)::float8 as ms
    from ${ledgerPostings} p
    join ${ledgerAccounts} debited on debited.id = p.debit
    join ${ledgerAccounts} credited on credited.id = p.credit
    join ${lobbies} l on l.id = debited.lobby_id and l.token_mint is null
    left join ${payouts} paid
      on paid.id = case when debited.kind = 'payable' then substr(debited.id, length('payable:') + 1)::uuid end
    where p.id > ${after} and p.id <= ${upTo}`);
  const [found] = rows;
  return {
    lamportsIn: BigInt(found?.in ?? 0),
    lamportsOut: BigInt(found?.out ?? 0),
    payoutMs: found?.ms ?? null,
  };
}

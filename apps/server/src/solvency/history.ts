import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { AnswerOf } from '@engulf/protocol/http/call';
import type { readSolvencyHistory } from '@engulf/protocol/http/solvency';
import { and, desc, eq, gte, lt } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import { solvencyHistory } from '../platform/database/solvency.ts';
import { rememberFor } from '../platform/remember.ts';

export type SolvencyHistory = AnswerOf<typeof readSolvencyHistory>;

const DAY_MS = 86_400_000;
const PAGE_DAYS = 7;
/** A week has 168 hours; the rest is room for changes. */
const MAX_ROWS = 1_000;
const MEMORY = { ms: 30_000, maxKeys: 500 } as const;

/** Pages begin and end with a UTC day, so that visitors share them. */
export function createHistoryReader(
  context: Pick<Context, 'db' | 'nowMs'>,
): (lobbyId: LobbyId, before: string | undefined) => Promise<SolvencyHistory> {
  const { nowMs } = context;
  const remembered = rememberFor({ ...MEMORY, nowMs }, (key: string) => {
    const [lobbyId, endMs] = key.split(' ') as [LobbyId, string];
    return readPage(context, lobbyId, Number(endMs));
  });
  return (lobbyId, before) => {
    const tomorrowMs = dayOf(nowMs()) + DAY_MS;
    const askedMs = before === undefined ? tomorrowMs : dayOf(Date.parse(before));
    return remembered(`${lobbyId} ${Math.max(0, Math.min(askedMs, tomorrowMs))}`);
  };
}

const dayOf = (ms: number): number => ms - (ms % DAY_MS);

async function readPage(
  { db }: Pick<Context, 'db'>,
  lobbyId: LobbyId,
  endMs: number,
): Promise<SolvencyHistory> {
  const start = new Date(Math.max(0, endMs - PAGE_DAYS * DAY_MS));
  const isOfLobby = eq(solvencyHistory.lobbyId, lobbyId);
  const rows = await db
    .select()
    .from(solvencyHistory)
    .where(and(isOfLobby, gte(solvencyHistory.readAt, start), lt(solvencyHistory.readAt, new Date(endMs))))
    .orderBy(desc(solvencyHistory.readAt), desc(solvencyHistory.id))
    .limit(MAX_ROWS);
  const [older] = await db
    .select({ id: solvencyHistory.id })
    .from(solvencyHistory)
    .where(and(isOfLobby, lt(solvencyHistory.readAt, start)))
    .limit(1);
  return {
    status: 'success',
    rows: rows.map((row) => ({
      readAt: row.readAt.toISOString(),
      slot: row.slot.toString(),
      pool: row.pool.toString(),
      owed: (row.bounties + row.spill + row.payouts).toString(),
      people: row.people,
      isCovered: row.isCovered,
    })),
    nextBefore: older ? start.toISOString() : null,
  };
}

import { randomUUID } from 'node:crypto';
import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { settleEntry } from '../entries/settle-entry.ts';
import type { BountyMove, EntryOutcome, Settlement } from '../game/ports.ts';
import { bountyOf, spillOf } from '../money/ledger/accounts.ts';
import { post } from '../money/ledger/post.ts';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { hasSqlState } from '../platform/database/sql-state.ts';

/**
 * Brings what happens in the rooms to the ledger, each lobby's in the order in which it happened. A database that
 * does not answer is asked again: nothing is skipped, what comes later waits.
 */
export type MoneyLanes = {
  recordBountyMoves(lobbyId: LobbyId, moves: readonly BountyMove[]): void;
  settleEntry(lobbyId: LobbyId, entryId: EntryId, outcome: EntryOutcome): Promise<Settlement>;
  /** Resolves when all that was handed over is durable. */
  drain(): Promise<void>;
};

const FLUSH_AFTER_MS = 150;
const RETRY_AFTER_MS = 250;
const INTEGRITY_VIOLATION = '23';

type Lane = {
  moves: BountyMove[];
  timer: NodeJS.Timeout | undefined;
  /** The end of the last work handed over. */
  tail: Promise<unknown>;
  batchCount: number;
};

export function createMoneyLanes(context: Context): MoneyLanes {
  // A batch is recognised when it is written twice, and must not be mistaken for one of another run.
  const runId = randomUUID();
  const lanes = new Map<LobbyId, Lane>();
  const laneOf = (lobbyId: LobbyId): Lane => {
    let lane = lanes.get(lobbyId);
    if (!lane) {
      lane = { moves: [], timer: undefined, tail: Promise.resolve(), batchCount: 0 };
      lanes.set(lobbyId, lane);
    }
    return lane;
  };

  const flush = (lobbyId: LobbyId, lane: Lane): void => {
    clearTimeout(lane.timer);
    lane.timer = undefined;
    if (lane.moves.length === 0) return;
    const moves = lane.moves;
    lane.moves = [];
    const key = `moves:${runId}:${lobbyId}:${lane.batchCount++}`;
    lane.tail = lane.tail.then(() => writeMoves(context, lobbyId, key, moves));
  };

  return {
    recordBountyMoves: (lobbyId, moves) => {
      const lane = laneOf(lobbyId);
      lane.moves.push(...moves);
      lane.timer ??= setTimeout(() => flush(lobbyId, lane), FLUSH_AFTER_MS);
    },
    settleEntry: (lobbyId, entryId, outcome) => {
      const lane = laneOf(lobbyId);
      flush(lobbyId, lane);
      const settled = lane.tail.then(() =>
        untilItAnswers(context, (tx) => settleEntry(context, tx, { entryId, ...outcome })),
      );
      // A settlement that is refused is the caller's to handle; the lane goes on.
      lane.tail = settled.catch(() => undefined);
      return settled;
    },
    drain: async () => {
      for (const [lobbyId, lane] of lanes) flush(lobbyId, lane);
      await Promise.all([...lanes.values()].map(({ tail }) => tail));
    },
  };
}

async function writeMoves(
  context: Context,
  lobbyId: LobbyId,
  key: string,
  moves: readonly BountyMove[],
): Promise<void> {
  const postings = mergeMoves(moves).map(({ from, to, amount }) => ({
    debit: from === 'spill' ? spillOf(lobbyId) : bountyOf(lobbyId, from),
    credit: bountyOf(lobbyId, to),
    amount,
  }));
  try {
    await untilItAnswers(context, (tx) => post(tx, { key, lobbyId, postings }));
  } catch (error) {
    // The room moved money that the ledger does not know of. Everyone keeps what the ledger says.
    context.logger.error({ err: error, lobbyId, key, moves }, 'bounty moves were refused');
  }
}

/** Several bites by the same eater from the same prey are one posting. */
function mergeMoves(moves: readonly BountyMove[]): BountyMove[] {
  const merged = new Map<string, BountyMove>();
  for (const move of moves) {
    const pair = `${move.from}>${move.to}`;
    merged.set(pair, { ...move, amount: move.amount + (merged.get(pair)?.amount ?? 0n) });
  }
  return [...merged.values()];
}

/** Throws only what trying again would not change: what the ledger does not allow, and our own mistakes. */
async function untilItAnswers<Answer>(
  { db, logger }: Context,
  work: (tx: Database) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    let isOurs = false;
    try {
      return await db.transaction(async (tx) => {
        try {
          return await work(tx);
        } catch (error) {
          isOurs = !isOfQuery(error);
          throw error;
        }
      });
    } catch (error) {
      if (isOurs || hasSqlState(error, INTEGRITY_VIOLATION)) throw error;
      logger.error({ err: error }, 'the ledger could not be written; trying again');
      await new Promise((done) => setTimeout(done, RETRY_AFTER_MS));
    }
  }
}

/** A lost connection has no code to know it by: every driver words it in its own way. */
function isOfQuery(error: unknown): boolean {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof DrizzleQueryError) return true;
  }
  return false;
}

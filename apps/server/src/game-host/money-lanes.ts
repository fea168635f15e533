import { randomUUID } from 'node:crypto';
import type { EntryId, LobbyId } from '@engulf/domain/ids/entity-ids';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { LeaseLost, readSettlement, type SettlementRequest, settleEntry } from '../entries/settle-entry.ts';
import type { BountyMove, Clock, GamePorts, Settlement } from '../game/ports.ts';
import { bountyOf, spillOf } from '../money/ledger/accounts.ts';
import { PostedBefore, post } from '../money/ledger/post.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { hasSqlState } from '../platform/database/sql-state.ts';
import type { Prices } from '../prices/prices.ts';

/** The game's money on its way to the ledger: one lane per lobby, each written strictly in order. */
export type MoneyLanes = Pick<GamePorts, 'recordBountyMoves' | 'settleEntry'> & {
  /** Resolves when everything handed over so far is durable. */
  drain(): Promise<void>;
  drainLobby(lobbyId: LobbyId): Promise<void>;
};

const FLUSH_AFTER_MS = 150;
const RETRY_AFTER_MS = 250;
const INTEGRITY_VIOLATION = '23';

type Lane = {
  /** Recorded, but not handed to a write yet. */
  moves: BountyMove[];
  cancelFlush: (() => void) | undefined;
  /** Resolves when the last moves handed over are written. */
  tail: Promise<unknown>;
  /** Entries that are being settled: one does not wait for another. */
  readonly settling: Map<EntryId, Promise<unknown>>;
  batchCount: number;
};

/** Whether this process still runs the lobby. Asked inside the transaction, which keeps the answer true. */
export type OwnsLobby = (tx: Database, lobbyId: LobbyId) => Promise<boolean>;

type LaneOptions = { readonly clock?: Clock; readonly prices?: Pick<Prices, 'quote'> };

export function createMoneyLanes(
  context: Pick<Context, 'db' | 'logger' | 'traces' | 'nowMs'>,
  ownsLobby: OwnsLobby,
  { clock = systemClock, prices }: LaneOptions = {},
): MoneyLanes {
  const { logger } = context;
  // Part of the batch keys: a batch written twice is recognised, but never mistaken for one of another run.
  const runId = randomUUID();
  const lanes = new Map<LobbyId, Lane>();
  const laneOf = (lobbyId: LobbyId): Lane => {
    let lane = lanes.get(lobbyId);
    if (!lane) {
      lane = {
        moves: [],
        cancelFlush: undefined,
        tail: Promise.resolve(),
        settling: new Map(),
        batchCount: 0,
      };
      lanes.set(lobbyId, lane);
    }
    return lane;
  };

  const writeMoves = async (lobbyId: LobbyId, key: string, moves: readonly BountyMove[]): Promise<void> => {
    const postings = mergeMoves(moves).map(({ from, to, amount }) => ({
      debit: from === 'spill' ? spillOf(lobbyId) : bountyOf(lobbyId, from),
      credit: bountyOf(lobbyId, to),
      amount,
    }));
    try {
      await retryTransaction(context, clock, async (tx) => {
        // First, and alone: moves that are refused because the new owner has refunded somebody would hide that it is one.
        if (!(await ownsLobby(tx, lobbyId))) throw new LeaseLost('another process runs the lobby now');
        await post(tx, { key, lobbyId, postings, isNew: true });
      });
    } catch (error) {
      // The database had written it before its answer was lost.
      if (error instanceof PostedBefore) return;
      // The room moved money that the ledger does not have, or no longer for this room. The ledger decides.
      const line = { err: error, lobbyId, key, moves };
      if (error instanceof LeaseLost) logger.error({ code: 'LEASE_LOST', ...line }, 'moves came too late');
      else logger.error({ code: 'BOUNTY_MOVES_REFUSED', ...line }, 'bounty moves were refused');
    }
  };

  const settle = async (lobbyId: LobbyId, request: SettlementRequest): Promise<Settlement> => {
    const isOurs = (tx: Database) => ownsLobby(tx, lobbyId);
    const settlement = await retryTransaction(context, clock, (tx) =>
      settleEntry(context, tx, { ...request, isOurs }),
    ).catch(async (error: unknown) => {
      // The process that took over the lobby has refunded the entry, or will.
      const known = error instanceof LeaseLost && (await readSettlement(context.db, request.entryId));
      if (known) return known;
      throw error;
    });
    if (settlement.isNew) return settlement;
    const { amount, usdValue, isNew, kind } = settlement;
    // An entry that a room knows has been claimed.
    if (kind === 'unclaimed') throw new Error(`The entry ${request.entryId} was never in a room`);
    return { amount, usdValue, isNew, kind };
  };

  const flush = (lobbyId: LobbyId, lane: Lane): void => {
    lane.cancelFlush?.();
    lane.cancelFlush = undefined;
    if (lane.moves.length === 0) return;
    const moves = lane.moves;
    lane.moves = [];
    const key = `moves:${runId}:${lobbyId}:${lane.batchCount++}`;
    lane.tail = Promise.all([lane.tail, ...settlingBefore(lane, moves)]).then(() =>
      writeMoves(lobbyId, key, moves),
    );
  };

  /** While moves are on their way, those that follow are collected, however far away the database is. */
  const flushSoon = (lobbyId: LobbyId, lane: Lane): void => {
    lane.cancelFlush ??= clock.setTimer(FLUSH_AFTER_MS, () => {
      const written = lane.tail;
      void written.then(() => {
        if (lane.tail === written) flush(lobbyId, lane);
      });
    });
  };

  const drain = async (): Promise<void> => {
    for (const [lobbyId, lane] of lanes) flush(lobbyId, lane);
    await Promise.all([...lanes.values()].flatMap(({ tail, settling }) => [tail, ...settling.values()]));
  };

  return {
    recordBountyMoves: (lobbyId, moves) => {
      const lane = laneOf(lobbyId);
      lane.moves.push(...moves);
      flushSoon(lobbyId, lane);
    },
    settleEntry: (lobbyId, entryId, outcome, life) => {
      const lane = laneOf(lobbyId);
      flush(lobbyId, lane);
      // The price at this moment, however long the write takes.
      const priceOf = prices?.quote();
      const request = { lobbyId, entryId, ...outcome, ...(priceOf && { priceOf }), ...(life && { life }) };
      const before = Promise.all([lane.tail, lane.settling.get(entryId)]);
      const settled = before.then(() => settle(lobbyId, request));
      // The caller handles a rejection.
      const done = settled
        .catch(() => undefined)
        .finally(() => {
          if (lane.settling.get(entryId) === done) lane.settling.delete(entryId);
        });
      lane.settling.set(entryId, done);
      return settled;
    },
    drain,
    drainLobby: async (lobbyId) => {
      const lane = lanes.get(lobbyId);
      if (!lane) return;
      flush(lobbyId, lane);
      await Promise.all([lane.tail, ...lane.settling.values()]);
    },
  };
}

/** The settlements that moves have to wait for: of those who are in them, and of all before the spill is shared. */
function settlingBefore({ settling }: Lane, moves: readonly BountyMove[]): Promise<unknown>[] {
  if (moves.some(({ from }) => from === 'spill')) return [...settling.values()];
  return moves.flatMap(({ from, to }) =>
    [settling.get(from as EntryId), settling.get(to)].filter((one) => one !== undefined),
  );
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

/** Retries until the database answers. Throws only what a retry would not change: refused postings and bugs. */
async function retryTransaction<Answer>(
  { db, logger }: Pick<Context, 'db' | 'logger'>,
  clock: Clock,
  work: (tx: Database) => Promise<Answer>,
): Promise<Answer> {
  for (;;) {
    let isApplicationError = false;
    try {
      return await db.transaction(async (tx) => {
        try {
          return await work(tx);
        } catch (error) {
          isApplicationError = !isQueryError(error);
          throw error;
        }
      });
    } catch (error) {
      if (isApplicationError || hasSqlState(error, INTEGRITY_VIOLATION)) throw error;
      logger.error({ code: 'LEDGER_UNAVAILABLE', err: error }, 'could not write to the ledger; retrying');
      await new Promise<void>((resolve) => clock.setTimer(RETRY_AFTER_MS, resolve));
    }
  }
}

/** A lost connection has no common code: every driver reports it differently. */
function isQueryError(error: unknown): boolean {
  for (let link = error; link instanceof Error; link = link.cause) {
    if (link instanceof DrizzleQueryError) return true;
  }
  return false;
}

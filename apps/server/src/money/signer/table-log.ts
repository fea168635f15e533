import {
  and,
  arrayOverlaps,
  eq,
  gt,
  gte,
  inArray,
  isNotNull,
  isNull,
  lt,
  ne,
  notExists,
  or,
  sql,
} from 'drizzle-orm';
import { alias } from 'drizzle-orm/pg-core';
import { payoutBatches, signerLog } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { BLOCKHASH_LIFETIME_BLOCKS, type LogAccess, type SignerLog } from './signer-log.ts';

/** An arbitrary number that no other lock uses. */
const LOCK_ID = 7_240_113;
const KEPT_MS = 7 * 24 * 3_600_000;

/**
 * The log of a signer that shares the database with the worker. It knows the fate of each batch, so only what has
 * landed or may still land counts.
 */
export function createTableLog(db: Database): SignerLog {
  return {
    exclusively: (work) =>
      db.transaction(async (tx) => {
        await tx.execute(sql`select pg_advisory_xact_lock(${LOCK_ID})`);
        return work(access(tx));
      }),
  };
}

function access(tx: Database): LogAccess {
  const counts = and(isNull(signerLog.refusal), inArray(payoutBatches.status, ['open', 'finalized']));
  return {
    find: async (batchId) => {
      const [row] = await tx.select().from(signerLog).where(eq(signerLog.batchId, batchId));
      return row as Awaited<ReturnType<LogAccess['find']>>;
    },
    spentSince: async (since, { lobbyId, mint }) => {
      const isOfLobby = sql`${signerLog.lobbyId} = ${lobbyId.toString()}`;
      const [row] = await tx
        .select({
          byLobby: sql<string>`coalesce(sum(${signerLog.amount}) filter (where ${isOfLobby}), 0)::text`,
          inTotal: sql<string>`coalesce(sum(${signerLog.amount}), 0)::text`,
        })
        .from(signerLog)
        .innerJoin(payoutBatches, eq(payoutBatches.id, signerLog.batchId))
        .where(
          and(
            counts,
            gt(signerLog.at, since),
            mint === null ? isNull(signerLog.mint) : eq(signerLog.mint, mint),
          ),
        );
      return { byLobby: BigInt(row!.byLobby), inTotal: BigInt(row!.inTotal) };
    },
    hasOrdered: async (lobbyId) => {
      const isOrdered = and(isNull(signerLog.refusal), isNotNull(signerLog.number));
      const [row] = await tx
        .select({ batchId: signerLog.batchId })
        .from(signerLog)
        .where(and(isOrdered, eq(signerLog.lobbyId, lobbyId)))
        .limit(1);
      return row !== undefined;
    },
    hasSigned: async ({ lobbyId, number, payoutIds, lastValidBlockHeight }) => {
      const isOfSameNumber =
        number === null ? sql`false` : and(eq(signerLog.lobbyId, lobbyId), eq(signerLog.number, number));
      // Whatever the worker believes of a claim, it may land until its blockhash is surely dead.
      const mayStillLand = gte(
        signerLog.lastValidBlockHeight,
        lastValidBlockHeight > BLOCKHASH_LIFETIME_BLOCKS
          ? lastValidBlockHeight - BLOCKHASH_LIFETIME_BLOCKS
          : 0n,
      );
      const other = alias(payoutBatches, 'other');
      const takenByOther = tx
        .select({ id: other.id })
        .from(other)
        .where(
          and(
            eq(other.lobbyId, payoutBatches.lobbyId),
            eq(other.number, payoutBatches.number),
            eq(other.status, 'finalized'),
            ne(other.id, payoutBatches.id),
          ),
        );
      const [row] = await tx
        .select({ batchId: signerLog.batchId })
        .from(signerLog)
        .leftJoin(payoutBatches, eq(payoutBatches.id, signerLog.batchId))
        .where(
          and(
            isNull(signerLog.refusal),
            arrayOverlaps(signerLog.payoutIds, [...payoutIds]),
            sql`(${isOfSameNumber}) is not true`,
            or(inArray(payoutBatches.status, ['open', 'finalized']), mayStillLand),
            notExists(takenByOther),
          ),
        )
        .limit(1);
      return row !== undefined;
    },
    add: async (entry) => {
      await tx.insert(signerLog).values({ ...entry, payoutIds: [...entry.payoutIds] });
      await tx.delete(signerLog).where(lt(signerLog.at, new Date(entry.at.getTime() - KEPT_MS)));
    },
  };
}

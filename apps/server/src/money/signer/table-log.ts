import { and, arrayOverlaps, eq, gt, inArray, isNull, lt, sql } from 'drizzle-orm';
import { payoutBatches, signerLog } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import type { LogAccess, SignerLog } from './signer-log.ts';

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
    hasSigned: async ({ payoutIds }) => {
      const [row] = await tx
        .select({ batchId: signerLog.batchId })
        .from(signerLog)
        .innerJoin(payoutBatches, eq(payoutBatches.id, signerLog.batchId))
        .where(and(counts, arrayOverlaps(signerLog.payoutIds, [...payoutIds])))
        .limit(1);
      return row !== undefined;
    },
    add: async (entry) => {
      await tx.insert(signerLog).values({ ...entry, payoutIds: [...entry.payoutIds] });
      await tx.delete(signerLog).where(lt(signerLog.at, new Date(entry.at.getTime() - KEPT_MS)));
    },
  };
}

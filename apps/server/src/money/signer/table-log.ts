import {
  and,
  arrayOverlaps,
  count,
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
import {
  BLOCKHASH_LIFETIME_BLOCKS,
  type ClaimOfPayouts,
  type LogAccess,
  type SignerLog,
} from './signer-log.ts';

/** An arbitrary number that no other lock uses. */
const LOCK_ID = 7_240_113;
const KEPT_MS = 7 * 24 * 3_600_000;
const REFUSALS_KEPT_MS = 24 * 3_600_000;

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

const isSigned = isNull(signerLog.refusal);

function access(tx: Database): LogAccess {
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
            isSigned,
            inArray(payoutBatches.status, ['open', 'finalized']),
            gt(signerLog.at, since),
            mint === null ? isNull(signerLog.mint) : eq(signerLog.mint, mint),
          ),
        );
      return { byLobby: BigInt(row!.byLobby), inTotal: BigInt(row!.inTotal) };
    },
    hasSigned: async (claim) => (await countClaims(tx, claim)) > 0,
    timesSigned: (payoutId, claim) => countClaims(tx, { ...claim, payoutIds: [payoutId] }),
    hasOrdered: async (lobbyId) => {
      const isOrdered = and(isSigned, isNotNull(signerLog.number), eq(signerLog.lobbyId, lobbyId));
      return (await tx.$count(signerLog, isOrdered)) > 0;
    },
    countRefusals: (since) =>
      tx.$count(signerLog, and(isNotNull(signerLog.refusal), gt(signerLog.at, since))),
    add: async ({ releasedIds: _, ...entry }) => {
      await tx.insert(signerLog).values({ ...entry, payoutIds: [...entry.payoutIds] });
      const isBefore = (ms: number) => lt(signerLog.at, new Date(entry.at.getTime() - ms));
      await tx
        .delete(signerLog)
        .where(or(isBefore(KEPT_MS), and(isNotNull(signerLog.refusal), isBefore(REFUSALS_KEPT_MS))));
    },
  };
}

/** How many earlier claims for one of the payouts have landed or may still do so beside this one. */
async function countClaims(
  tx: Database,
  { lobbyId, number, payoutIds, lastValidBlockHeight }: ClaimOfPayouts,
): Promise<number> {
  const isOfSameNumber =
    number === null ? sql`false` : and(eq(signerLog.lobbyId, lobbyId), eq(signerLog.number, number));
  // Whatever the worker believes of a claim, it may land until its blockhash is surely dead.
  const deadBefore = lastValidBlockHeight - BLOCKHASH_LIFETIME_BLOCKS;
  const mayStillLand = gte(signerLog.lastValidBlockHeight, deadBefore > 0n ? deadBefore : 0n);
  const other = alias(payoutBatches, 'other');
  const isTakenByOther = tx
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
    .select({ count: count() })
    .from(signerLog)
    .leftJoin(payoutBatches, eq(payoutBatches.id, signerLog.batchId))
    .where(
      and(
        isSigned,
        arrayOverlaps(signerLog.payoutIds, [...payoutIds]),
        sql`(${isOfSameNumber}) is not true`,
        or(inArray(payoutBatches.status, ['open', 'finalized']), mayStillLand),
        notExists(isTakenByOther),
      ),
    );
  return row!.count;
}

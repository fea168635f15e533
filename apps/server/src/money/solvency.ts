import { readLobby, readPool } from '@engulf/chain/read-configs';
import { and, eq, sql } from 'drizzle-orm';
import type { PaidLobby } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';
import { poolOf } from './ledger/accounts.ts';
import { readBalance } from './ledger/post.ts';

export type Solvency = {
  /** What is final on the chain. */
  readonly pool: bigint;
  /** What the books say is owed, less what a claim in flight may have paid already. */
  readonly owedAtLeast: bigint;
};

/**
 * Whether a lobby can pay what it owes. The chain may hold more: a payment that is not booked yet, or a gift. It
 * must never hold less.
 */
export async function readSolvency(context: Context, lobby: PaidLobby): Promise<Solvency> {
  const { chain, db } = context;
  // The books come first: what is paid in between only makes the pool look better.
  const owed = -(await readBalance(db, poolOf(lobby.id)));
  const [inFlight] = await db
    .select({ sum: sql<string>`coalesce(sum(${payouts.amount}), 0)::text` })
    .from(payouts)
    .innerJoin(payoutBatches, eq(payoutBatches.id, payouts.batchId))
    .where(and(eq(payoutBatches.lobbyId, lobby.id), eq(payoutBatches.status, 'open')));
  const account = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId, 'finalized');
  const pool = account ? await readPool(chain.rpc, account, 'finalized') : 0n;
  return { pool, owedAtLeast: owed - BigInt(inFlight!.sum) };
}

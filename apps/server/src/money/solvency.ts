import { readLobby, readPool } from '@engulf/chain/read-configs';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { and, eq, sql } from 'drizzle-orm';
import { findLobby, isPaid, type PaidLobby } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';
import { poolOf } from './ledger/accounts.ts';
import { readBalance } from './ledger/post.ts';

type Solvency = {
  /** Final on the chain. */
  readonly pool: bigint;
  /** Owed by the books, less what a claim in flight may have paid already. */
  readonly owedAtLeast: bigint;
};

/**
 * Raises an alarm if a lobby cannot pay what it owes. The chain may hold more, by a payment that is not booked yet
 * or a gift, but never less.
 */
export async function checkSolvency(context: Context, lobbyId: LobbyId): Promise<void> {
  const lobby = await findLobby(context.db, lobbyId);
  if (!lobby || !isPaid(lobby)) return;
  const { pool, owedAtLeast } = await readSolvency(context, lobby);
  if (pool >= owedAtLeast) return;
  context.logger.error(
    { code: 'POOL_SHORT', lobbyId, pool, owedAtLeast },
    'the pool holds less than it owes',
  );
}

async function readSolvency(context: Context, lobby: PaidLobby): Promise<Solvency> {
  const { chain, db } = context;
  // The books are read first: a payment in between only makes the pool look better.
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

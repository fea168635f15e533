import { readPoolBalance } from '@engulf/chain/accounts/pool-account';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import type { Rpc, SolanaRpcApi } from '@solana/kit';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import type { BatchRow } from '../../platform/database/money.ts';
import { findPool, isSameBooks, readBooks } from '../pool.ts';
import { comparePool } from '../solvency.ts';
import { stopPayouts } from './payout-states.ts';

/*
 * Compares a pool with the books before anything is signed. The same money must not be paid twice, whatever the nodes and
 * the books have forgotten.
 */

/** Books every payment, gift and unknown claim that the chain knows of: the recent ones, or all that may be missing. */
export type BookPayments = (lobbyId: LobbyId, reach?: 'recent' | 'unproven') => Promise<void>;

/**
 * Whether the pool holds what the books say. It holds less if it paid something that the books do not know of: they may
 * have been restored from a backup, and what looks unpaid has been paid. Then the money of others would pay for it.
 */
export async function isPoolSound(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  bookPayments: BookPayments,
): Promise<boolean> {
  // Payments that are not booked yet would hide a shortage.
  await bookPayments(lobby.id);
  const found = await comparePool(context, lobby);
  // Another worker may have a claim in flight by now.
  if (!found || found.inFlight > 0n) return false;
  const { pool, held } = found;
  if (pool >= held) return true;
  await stopPayouts(context, lobby.id);
  context.logger.error(
    { code: 'PAYOUTS_STOPPED', lobbyId: lobby.id, pool, held },
    'the pool holds less than the books say, so nothing is paid out of it',
  );
  return false;
}

/**
 * The same for a lobby whose claims are in order, which are paid once anyway: the word of one node is enough, so that a bad
 * one cannot stop payouts.
 */
export async function isAnyPoolSound(
  context: Context,
  lobby: PaidLobby,
  bookPayments: BookPayments,
): Promise<boolean> {
  const { chain } = context;
  const results = await Promise.allSettled(
    chain.nodes.map(async (rpc) =>
      comparePool({ ...context, chain: { ...chain, rpc, nodes: [rpc] } }, lobby),
    ),
  );
  const found = results.flatMap((result) => (result.status === 'fulfilled' ? (result.value ?? []) : []));
  const isSound = found.some(({ inFlight, pool, held }) => inFlight === 0n && pool >= held);
  return isSound || isPoolSound(context, lobby, bookPayments);
}

type UnpaidAnswer = {
  readonly node: Rpc<SolanaRpcApi>;
  /** A slot from which on the claim can no longer change the pool. */
  readonly asOfSlot: bigint;
};

/**
 * Whether the pool still holds exactly what the books say, so that a claim which the nodes do not know, or call failed,
 * cannot have paid: a node can forget a transaction, but not the balance that it left behind. Gifts are booked, so none
 * can hide what the claim took. Every node that answered must show this balance.
 */
export async function isPoolUntouched(
  context: Pick<Context, 'db' | 'chain' | 'logger'>,
  lobby: PaidLobby,
  batch: BatchRow,
  answers: readonly UnpaidAnswer[],
  bookPayments: BookPayments,
): Promise<boolean> {
  const { db, logger } = context;
  const account = await findPool(context, lobby);
  if (!account) return false;
  // In a busy lobby somebody has always paid since the last time, and the second booking would always find something.
  await bookPayments(lobby.id);
  const books = await readBooks(db, lobby.id);
  const pools = await Promise.all(
    answers.map(({ node, asOfSlot }) =>
      // Not before anything that is booked, and not while the claim could still land.
      readPoolBalance(node, account, books.newestSlot > asOfSlot ? books.newestSlot : asOfSlot),
    ),
  );
  // A payment that is in the balances but not in the books would make up for what the claim took. Only a booking after
  // the last balance was read can rule that out, so this one cannot be saved.
  await bookPayments(lobby.id);
  if (!isSameBooks(books, await readBooks(db, lobby.id))) return false;
  const pool = pools.find((one) => one && one.amount !== books.held);
  if (pool) {
    const { id: batchId, lobbyId, signature } = batch;
    logger.error(
      { code: 'PAYOUT_UNCERTAIN', batchId, lobbyId, signature, pool, held: books.held },
      'a payout seems not to be made, but the pool differs from the books: it may have been paid and stays open',
    );
  }
  return pools.every((one) => one?.amount === books.held);
}

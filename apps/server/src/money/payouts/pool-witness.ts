import { readLobby, readPool } from '@engulf/chain/read-configs';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { poolOf } from '../ledger/accounts.ts';
import { readBalance } from '../ledger/post.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';

/**
 * Whether the pool still holds all that the books say, so that a claim nobody remembers cannot have paid. A node
 * can forget a transaction, not the balance it left behind.
 */
export async function isPoolUntouched(context: Context, lobby: PaidLobby): Promise<boolean> {
  const { chain, db } = context;
  const account = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId, 'finalized');
  const pool = account ? await readPool(chain.rpc, account, 'finalized') : 0n;
  // The books come last and complete: a payment they do not know yet would make up for what the claim took.
  await reconcileLobby(context, lobby.id);
  return pool >= -(await readBalance(db, poolOf(lobby.id)));
}

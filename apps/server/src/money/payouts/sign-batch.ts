import { randomUUID } from 'node:crypto';
import { buildClaimBatch } from '@engulf/chain/claim-batch';
import { readLobby } from '@engulf/chain/read-configs';
import { signForSending } from '@engulf/chain/signed-transaction';
import { type LobbyId, transactionSignature } from '@engulf/domain/ids/entity-ids';
import { address } from '@solana/kit';
import { and, asc, eq, isNull, lte, or } from 'drizzle-orm';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, type PayoutRow, payouts } from '../../platform/database/money.ts';
import { openBatch, postponePayouts } from './payout-states.ts';

/** More than one transaction can hold, so that it is filled even if some payouts cannot be made now. */
const CANDIDATES = 40;

/** Signs a claim for the payouts that are due and stores it; undefined if there is nothing to pay. */
export async function signBatch(context: Context, lobby: PaidLobby): Promise<BatchRow | undefined> {
  const { chain } = context;
  const due = await duePayouts(context, lobby.id);
  if (due.length === 0) return undefined;
  if (!chain.superAdmin) throw new Error('Payouts need SUPER_ADMIN_KEYPAIR');
  const onChain = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId);
  if (!onChain) throw new Error(`The lobby ${lobby.id} owes payouts and is not on the chain`);
  const batchId = randomUUID();
  const { message, paid, unpayable } = await buildClaimBatch({
    rpc: chain.rpc,
    programId: chain.programId,
    lobby: onChain,
    superAdmin: chain.superAdmin,
    rewards: due.map((payout) => ({
      ...payout,
      player: address(payout.wallet),
      // A refunded player had a token account when paying. Creating one would let them farm its rent by closing it.
      needsTokenAccount: payout.isRefund,
    })),
    batchId,
  });
  await postponePayouts(context, unpayable);
  if (!message) return undefined;
  const { signature, wire, lastValidBlockHeight } = await signForSending(message);
  return openBatch(context, paid, {
    id: batchId,
    lobbyId: lobby.id,
    signature: transactionSignature(signature),
    wire,
    lastValidBlockHeight,
    createdAt: new Date(context.nowMs()),
  });
}

/** A payout whose batch did not land is retried alone, so that no player can hold up the others for long. */
async function duePayouts({ db, nowMs }: Context, lobbyId: LobbyId): Promise<PayoutRow[]> {
  const due = await db
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.lobbyId, lobbyId),
        eq(payouts.status, 'pending'),
        or(isNull(payouts.notBefore), lte(payouts.notBefore, new Date(nowMs()))),
      ),
    )
    .orderBy(asc(payouts.failedAttempts), asc(payouts.createdAt), asc(payouts.id))
    .limit(CANDIDATES);
  const untried = due.filter(({ failedAttempts }) => failedAttempts === 0);
  return untried.length > 0 ? untried : due.slice(0, 1);
}

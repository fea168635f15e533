import { randomUUID } from 'node:crypto';
import { buildClaimBatch } from '@engulf/chain/claim-batch';
import { bidForBlock, readRecentPrice, simulateClaim } from '@engulf/chain/compute-budget';
import { type Lobby, readLobby } from '@engulf/chain/read-configs';
import { signForSending } from '@engulf/chain/signed-transaction';
import { type LobbyId, transactionSignature } from '@engulf/domain/ids/entity-ids';
import { address } from '@solana/kit';
import { and, asc, eq, isNull, lte, or } from 'drizzle-orm';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, type PayoutRow, payouts } from '../../platform/database/money.ts';
import { payoutMemo } from './payout-memo.ts';
import { countExpiries, openBatch, postponePayouts, refusePayouts } from './payout-states.ts';

/** More than one transaction can hold, so that it is filled even if some payouts cannot be made now. */
const CANDIDATES = 40;

/** Signs a claim for the payouts that are due and stores it; undefined if there is nothing to pay. */
export async function signBatch(context: Context, lobby: PaidLobby): Promise<BatchRow | undefined> {
  const { chain, db } = context;
  const due = await duePayouts(context, lobby.id);
  if (due.length === 0) return undefined;
  const batchId = randomUUID();
  const memo = await payoutMemo(context, batchId, due);
  const claim = await findWorkingClaim(context, lobby, memo, due);
  if (!claim) return undefined;
  const message = bidForBlock(claim.message, {
    computeUnits: claim.computeUnits,
    recentPrice: await recentPrice(context, claim.onChain),
    expiries: await countExpiries(db, lobby.id),
    maxFeeLamports: chain.maxPriorityFeeLamports,
  });
  const { signature, wire, lastValidBlockHeight } = await signForSending(message);
  return openBatch(context, claim.paid, {
    id: batchId,
    lobbyId: lobby.id,
    signature: transactionSignature(signature),
    wire,
    lastValidBlockHeight,
    signedAtSlot: claim.builtAtSlot,
    createdAt: new Date(context.nowMs()),
  });
}

/**
 * Builds a claim that the chain would accept now. Nodes drop what the chain would refuse, so one bad payout would let
 * its batch expire again and again; the simulation finds it before anything is signed.
 */
async function findWorkingClaim(context: Context, lobby: PaidLobby, memo: string, due: readonly PayoutRow[]) {
  const whole = await tryClaim(context, lobby, memo, due);
  if (whole?.kind !== 'fails') return whole;
  const good: PayoutRow[] = [];
  for (const payout of whole.paid) {
    const alone = await tryClaim(context, lobby, memo, [payout]);
    if (alone?.kind === 'works') good.push(payout);
    else await refusePayouts(context, [payout], alone?.reason ?? whole.reason);
  }
  if (good.length === 0) return undefined;
  // If each works alone, it is their sum that does not.
  const rest = good.length === whole.paid.length ? good.slice(0, 1) : good;
  const claim = await tryClaim(context, lobby, memo, rest);
  return claim?.kind === 'works' ? claim : undefined;
}

async function tryClaim(context: Context, lobby: PaidLobby, memo: string, due: readonly PayoutRow[]) {
  const { chain } = context;
  if (!chain.superAdmin) throw new Error('Payouts need SUPER_ADMIN_KEYPAIR');
  const onChain = await readLobby(chain.rpc, chain.programId, lobby.chainLobbyId);
  if (!onChain) throw new Error(`The lobby ${lobby.id} owes payouts and is not on the chain`);
  const { message, paid, unpayable, builtAtSlot } = await buildClaimBatch({
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
    memo,
  });
  await postponePayouts(context, unpayable);
  if (!message) return undefined;
  return { ...(await simulateClaim(chain.rpc, message)), message, paid, onChain, builtAtSlot };
}

/** A node that cannot tell must not hold up payouts: then the least price is bid, and more after an expiry. */
async function recentPrice({ chain, logger }: Context, lobby: Lobby): Promise<bigint> {
  const accounts = [lobby.address, ...(lobby.isSolLobby ? [] : [lobby.rewardPoolTokenAccount])];
  try {
    return await readRecentPrice(chain.rpc, accounts);
  } catch (error) {
    logger.info({ err: error }, 'the node does not tell recent priority fees');
    return 0n;
  }
}

/** A payout whose batch was refused is retried alone, so that no player can hold up the others for long. */
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

import { randomUUID } from 'node:crypto';
import type { Lobby } from '@engulf/chain/accounts/read-configs';
import { bidForBlock, readRecentPrice } from '@engulf/chain/payouts/compute-budget';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { and, asc, desc, eq, isNull, lte, notInArray, or, sql } from 'drizzle-orm';
import { z } from 'zod';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { type PayoutRow, payoutBatches, payouts } from '../../platform/database/money.ts';
import type { Database } from '../../platform/database/open-database.ts';
import { type Batch, batchSchema, type SignerKeys } from '../signer/signer.ts';
import { chooseClaimant } from './claimant.ts';
import { chooseProven } from './match-proofs.ts';
import type { NewBatch } from './payout-states.ts';
import { findWorkingClaim, NOTHING_ASIDE, type SetAside, type WorkingClaim } from './working-claim.ts';

/** More than one transaction can hold, so that it is filled even if some payouts cannot be made now. */
const CANDIDATES = 40;

/** No multiple of what payouts wait, so that they do not meet the same node each time. */
const NODE_TURN_MS = 67_000;

type Choice = {
  /** Undefined if nothing can be paid now. */
  readonly next: { readonly paid: readonly PayoutRow[]; readonly batch: NewBatch } | undefined;
  readonly aside: SetAside;
};

type Turn = {
  /** Of the claim, in a lobby that has a counter. */
  readonly number: bigint | undefined;
  /** Of the signer. */
  readonly keys: SignerKeys;
  readonly maxFeeLamports: bigint;
};

/** Chooses among the payouts that are due and describes a claim for them. Changes nothing: the caller stores the choice. */
export async function chooseBatch(
  context: Context,
  lobby: PaidLobby,
  turn: Turn,
): Promise<Choice | undefined> {
  const due = await duePayouts(context, lobby.id);
  if (due.length === 0) return undefined;
  const expiries = await countExpiries(context.db, lobby.id);
  if (turn.number === undefined) return chooseBy(context, lobby, due, { ...turn, expiries });
  // A claim that a bad node described expires or is refused, and the next is described by another; so it is after a while
  // if a node says that there is nothing to be done.
  const { nodes } = context.chain;
  const first = expiries + due[0]!.failedAttempts + Math.floor(context.nowMs() / NODE_TURN_MS);
  const failures: unknown[] = [];
  for (let index = 0; index < nodes.length; index++) {
    const rpc = nodes[(first + index) % nodes.length]!;
    const chain = { ...context.chain, rpc, nodes: [rpc] };
    try {
      return await chooseBy({ ...context, chain }, lobby, due, { ...turn, expiries });
    } catch (error) {
      failures.push(error);
    }
  }
  throw failures[0];
}

async function chooseBy(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  due: readonly PayoutRow[],
  { number, keys, maxFeeLamports, expiries }: Turn & { readonly expiries: number },
): Promise<Choice> {
  const batchId = randomUUID();
  const { claimant, due: claimed, tooLarge } = await chooseClaimant(context, lobby, { number, keys }, due);
  if (!claimant) return { next: undefined, aside: { ...NOTHING_ASIDE, tooLarge, isStopped: true } };
  if (claimed.length === 0) return { next: undefined, aside: { ...NOTHING_ASIDE, tooLarge } };
  const { proofs, proven } = await chooseProven(context, claimed);
  const mark = { batchId, number, proofs, claimant };
  const { claim, aside: found } = await findWorkingClaim(context, lobby, mark, proven);
  const aside = { ...found, tooLarge };
  if (!claim) return { next: undefined, aside };
  await expectFittingLifetime(context, claim.description.lifetime);
  const computePriceMicroLamports = bidForBlock({
    computeUnits: claim.computeUnits,
    recentPrice: await recentPrice(context, claim.onChain),
    expiries,
    maxFeeLamports,
  });
  const batch = describeBatch(lobby, claim, computePriceMicroLamports);
  return { next: { paid: claim.paid, batch: { ...batch, createdAt: new Date(context.nowMs()) } }, aside };
}

function describeBatch(
  { id: lobbyId }: PaidLobby,
  { computeUnits, description, paid, builtAtSlot }: WorkingClaim,
  computePriceMicroLamports: bigint,
): NewBatch {
  const rewards = description.rewards.map((reward, index) => ({
    ...reward,
    payoutId: paid[index]!.id,
    isReleased: paid[index]!.releasedAt !== null,
  }));
  const proofs = [...description.proofs];
  const { payoutKey, ...described } = description;
  const batch: Batch = {
    ...described,
    ...(payoutKey && { payoutKey }),
    proofs,
    rewards,
    computeUnits,
    computePriceMicroLamports,
  };
  return {
    id: batch.batchId,
    lobbyId,
    number: description.number ?? null,
    description: z.encode(batchSchema, batch),
    lastValidBlockHeight: batch.lifetime.lastValidBlockHeight,
    signedAtSlot: builtAtSlot,
  };
}

/** How long the chain takes a blockhash for, and how far healthy nodes are behind each other. */
const LIFETIME_BLOCKS = 150n;
const NODE_LAG_BLOCKS = 300n;

/**
 * A claim that can land for longer than its last valid height says would be signed again too early. So that height has to
 * fit the height of every node that answers.
 */
async function expectFittingLifetime(
  { chain }: Pick<Context, 'chain'>,
  { lastValidBlockHeight }: Batch['lifetime'],
): Promise<void> {
  const asked = await Promise.allSettled(
    chain.nodes.map(async (node) => node.getBlockHeight({ commitment: 'confirmed' }).send()),
  );
  for (const outcome of asked) {
    if (outcome.status === 'rejected') continue;
    const blocksLeft = lastValidBlockHeight - outcome.value;
    if (blocksLeft > 0n && blocksLeft <= LIFETIME_BLOCKS + NODE_LAG_BLOCKS) continue;
    throw new Error(`The last valid height ${lastValidBlockHeight} does not fit the height ${outcome.value}`);
  }
}

const MAX_COUNTED_EXPIRIES = 10;

/** How many of a lobby's newest claims in a row did not make it into a block. */
async function countExpiries(db: Database, lobbyId: LobbyId): Promise<number> {
  const newest = await db
    .select({ status: payoutBatches.status })
    .from(payoutBatches)
    .where(and(eq(payoutBatches.lobbyId, lobbyId), notInArray(payoutBatches.status, ['open', 'refused'])))
    .orderBy(desc(payoutBatches.createdAt))
    .limit(MAX_COUNTED_EXPIRIES);
  const landed = newest.findIndex(({ status }) => status !== 'expired');
  return landed === -1 ? newest.length : landed;
}

/** A node that cannot tell must not hold up payouts: then the least price is bid, and more after an expiry. */
async function recentPrice(
  { chain, logger }: Pick<Context, 'chain' | 'logger'>,
  lobby: Lobby,
): Promise<bigint> {
  const accounts = [lobby.address, ...(lobby.isSolLobby ? [] : [lobby.rewardPoolTokenAccount])];
  try {
    return await readRecentPrice(chain.rpc, accounts);
  } catch (error) {
    logger.info({ err: error }, 'the node does not tell recent priority fees');
    return 0n;
  }
}

/**
 * A payout whose batch was refused is retried alone, so that no player can hold up the others for long. It has its turn when
 * it has waited longest: somebody wins all the time in a busy lobby.
 */
async function duePayouts(
  { db, nowMs }: Pick<Context, 'db' | 'nowMs'>,
  lobbyId: LobbyId,
): Promise<PayoutRow[]> {
  const due = await db
    .select()
    .from(payouts)
    .where(
      and(
        eq(payouts.lobbyId, lobbyId),
        eq(payouts.status, 'pending'),
        isNull(payouts.heldAt),
        or(isNull(payouts.notBefore), lte(payouts.notBefore, new Date(nowMs()))),
      ),
    )
    .orderBy(sql`coalesce(${payouts.notBefore}, ${payouts.createdAt})`, asc(payouts.id))
    .limit(CANDIDATES);
  const isTried = ({ failedAttempts }: PayoutRow) => failedAttempts > 0;
  return due[0] && isTried(due[0]) ? due.slice(0, 1) : due.filter((payout) => !isTried(payout));
}

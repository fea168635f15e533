import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { readPoolBalance } from '@engulf/chain/accounts/pool-account';
import { neededNodes } from '@engulf/chain/node/agreement';
import { lookUpFate, type TransactionFate } from '@engulf/chain/node/await-finality';
import { type Rpc, type Signature, type SolanaRpcApi, signature } from '@solana/kit';
import { and, desc, eq, gt, lte } from 'drizzle-orm';
import type { PaidLobby } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { payments } from '../../platform/database/games.ts';
import type { BatchRow } from '../../platform/database/money.ts';
import { findPool, readBooks } from '../pool.ts';
import { batchSchema } from '../signer/signer.ts';
import { isBelievedAlone } from './lone-node.ts';
import { type BookPayments, isPoolUntouched } from './pool-proof.ts';

/**
 * The outcome of a batch once it is final; undefined until then. It may be unsigned, if the signer did not answer. That it paid
 * two nodes have to show, or one and the pool of another. That it did not pay, so that its payouts are signed again, must be
 * certain: a node can lag behind, or forget what landed.
 */
export async function findFate(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  batch: BatchRow,
  bookPayments: BookPayments,
): Promise<TransactionFate | undefined> {
  const { nodes } = context.chain;
  const answers = await askAll(context, nodes, batch, lobby);
  const fates = answers.map(({ fate }) => fate);
  const paid = answers.flatMap(({ node, fate }) => (fate?.kind === 'finalized' ? [{ node, fate }] : []));
  if (paid[0]) {
    // Of a batch whose signature was lost the signer has to tell it first.
    if (batch.signature === null) return undefined;
    const isBelieved =
      paid.length >= neededNodes(nodes) || (await isBorneOut(context, lobby, batch, paid[0], bookPayments));
    return isBelieved ? paid[0].fate : undefined;
  }
  const [first] = fates;
  const doAgree = fates.length >= neededNodes(nodes) && fates.every((fate) => fate?.kind === first?.kind);
  if (!first || !doAgree) return undefined;
  const unpaid = answers.map(async ({ node, fate }) => ({ node, asOfSlot: await slotOf(node, fate!) }));
  const isUntouched = await isPoolUntouched(context, lobby, batch, await Promise.all(unpaid), bookPayments);
  return isUntouched ? first : undefined;
}

/** Whether another node's pool lacks what the batch has paid. If the others are silent, the one is believed after a while. */
async function isBorneOut(
  context: Pick<Context, 'db' | 'chain' | 'logger' | 'nowMs'>,
  lobby: PaidLobby,
  { id: batchId }: BatchRow,
  { node, fate }: { readonly node: Node; readonly fate: Extract<TransactionFate, { kind: 'finalized' }> },
  bookPayments: BookPayments,
): Promise<boolean> {
  const { chain, db, logger } = context;
  await bookPayments(lobby.id);
  const account = await findPool(context, lobby);
  if (!account) return false;
  const { held, inFlight } = await readBooks(db, lobby.id);
  const others = chain.nodes.filter((other) => other !== node);
  const outcomes = await Promise.allSettled(
    others.map(async (other) => readPoolBalance(other, account, fate.slot)),
  );
  const pools = outcomes.flatMap((one) => (one.status === 'fulfilled' ? [one.value] : []));
  const isBelieved =
    pools.length === 0
      ? isBelievedAlone(context, lobby.id, { claim: batchId, isDenied: false })
      : pools.some((pool) => pool?.amount === held - inFlight);
  if (!isBelieved) {
    logger.warn(
      { code: 'NODES_DISAGREE', lobbyId: lobby.id, batchId, pools, held, inFlight },
      'one node alone shows that this batch was paid, so it is not believed yet',
    );
  }
  return isBelieved;
}

/** A slot from which on the claim can no longer change the pool. */
async function slotOf(node: Node, fate: TransactionFate): Promise<bigint> {
  if (fate.kind === 'expired') return fate.asOfSlot;
  return (await node.getEpochInfo({ commitment: 'finalized' }).send()).absoluteSlot;
}

type Node = Rpc<SolanaRpcApi>;

/** The answers of the nodes that gave one. Throws if none did. */
async function askAll(
  context: Pick<Context, 'db' | 'chain' | 'logger'>,
  nodes: readonly Node[],
  batch: BatchRow,
  lobby: PaidLobby,
) {
  const { chain, logger } = context;
  const account = await findLobbyConfig(chain.programId, lobby.chainLobbyId);
  const sinceSlot = batch.signedAtSlot ?? 0n;
  const landmark = await findPaymentBefore(context, lobby, sinceSlot);
  const looks = await Promise.allSettled(
    nodes.map((rpc) =>
      lookUpFate({
        rpc,
        signature: batch.signature === null ? undefined : signature(batch.signature),
        lastValidBlockHeight: batch.lastValidBlockHeight,
        history: {
          account,
          memo: batch.id,
          feePayer: batchSchema.parse(batch.description).superAdmin,
          sinceSlot,
          landmark,
        },
      }),
    ),
  );
  const answers = looks.flatMap((look, index) =>
    look.status === 'fulfilled' ? [{ node: nodes[index]!, fate: look.value }] : [],
  );
  const [failure] = looks.flatMap((look) => (look.status === 'rejected' ? [look.reason] : []));
  if (failure && answers.length === 0) throw failure;
  if (failure)
    logger.warn(
      { code: 'NODE_UNAVAILABLE', err: failure, batchId: batch.id },
      'a node did not answer about a payout',
    );
  return answers;
}

/** About a day. A node may have pruned what is older, and still know all that came after the signing. */
const REMEMBERED_SLOTS = 200_000n;

/**
 * The newest payment of the day before a slot. A node that has forgotten it may also have forgotten the claim, together
 * with a payment that makes up in the balance for what the claim took.
 */
async function findPaymentBefore(
  { db }: Pick<Context, 'db'>,
  lobby: PaidLobby,
  slot: bigint,
): Promise<Signature | undefined> {
  const [payment] = await db
    .select({ signature: payments.signature })
    .from(payments)
    .where(
      and(
        eq(payments.lobbyId, lobby.id),
        eq(payments.status, 'verified'),
        lte(payments.slot, slot),
        gt(payments.slot, slot - REMEMBERED_SLOTS),
      ),
    )
    .orderBy(desc(payments.slot))
    .limit(1);
  return payment && signature(payment.signature);
}

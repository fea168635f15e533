import type { GetBlockApi, GetBlocksApi, GetSlotApi, Rpc } from '@solana/kit';
import { agreedOf, answersOf } from './agreement.ts';

/** A slower node is not waited for. */
const NODE_ANSWERS_WITHIN_MS = 3_000;

/**
 * The slot from which on a match takes its block. Nobody may know that block yet, so the node that is furthest counts,
 * and the slot lies ahead of it. Throws if no node answers.
 */
export async function nameSlot(nodes: readonly Rpc<GetSlotApi>[], aheadSlots: bigint): Promise<bigint> {
  const answers = await Promise.allSettled(
    nodes.map((node) =>
      node
        .getSlot({ commitment: 'processed' })
        .send({ abortSignal: AbortSignal.timeout(NODE_ANSWERS_WITHIN_MS) }),
    ),
  );
  const slots = answers.flatMap((answer) => (answer.status === 'fulfilled' ? [answer.value] : []));
  if (slots.length === 0) throw answers.find((answer) => answer.status === 'rejected')?.reason;
  return slots.reduce((highest, slot) => (slot > highest ? slot : highest)) + aheadSlots;
}

/** A slot may stay empty, but never so many in a row. */
const SEARCH_SLOTS = 64n;

export type Block = {
  readonly slot: bigint;
  readonly blockhash: string;
  /** As the validators estimated it; undefined if the node does not tell. */
  readonly timeMs: number | undefined;
};

/** The first block from a slot on; undefined while it is not final, or not confirmed if that is enough, or if the node lacks an earlier one. */
export async function findBlock(
  rpc: Rpc<GetBlockApi & GetBlocksApi>,
  fromSlot: bigint,
  commitment: 'confirmed' | 'finalized' = 'finalized',
  abortSignal?: AbortSignal,
): Promise<Block | undefined> {
  const config = abortSignal && { abortSignal };
  const [slot] = await rpc.getBlocks(fromSlot, fromSlot + SEARCH_SLOTS, { commitment }).send(config);
  if (slot === undefined) return undefined;
  const block = await rpc
    .getBlock(slot, {
      commitment,
      maxSupportedTransactionVersion: 1,
      rewards: false,
      transactionDetails: 'none',
    })
    .send(config);
  // A node that was restarted, or has pruned the time before, may begin in the middle.
  if (!block || block.parentSlot >= fromSlot) return undefined;
  const { blockhash, blockTime } = block;
  const isTold = blockTime !== null && blockTime !== undefined;
  return { slot, blockhash, timeMs: isTold ? Number(blockTime) * 1000 : undefined };
}

/**
 * The same, by several nodes: two have to show it, or all that answer. One that invents a block would make an honest match
 * look forged.
 */
export async function findAgreedBlock(
  nodes: readonly Rpc<GetBlockApi & GetBlocksApi>[],
  fromSlot: bigint,
  commitment: 'confirmed' | 'finalized' = 'finalized',
): Promise<Block | undefined> {
  const inTime = AbortSignal.timeout(NODE_ANSWERS_WITHIN_MS);
  const blocks = answersOf(
    await Promise.allSettled(nodes.map((node) => findBlock(node, fromSlot, commitment, inTime))),
  );
  return agreedOf(nodes, blocks, (a, b) => a.slot === b.slot && a.blockhash === b.blockhash);
}

import type { GetBlockApi, GetBlocksApi, GetSlotApi, Rpc } from '@solana/kit';

/** The slot from which on a match takes its block. Nobody knows that block yet. */
export async function nameSlot(rpc: Rpc<GetSlotApi>): Promise<bigint> {
  return (await rpc.getSlot({ commitment: 'processed' }).send()) + AHEAD_SLOTS;
}

/** The node may be a little behind the network. */
const AHEAD_SLOTS = 2n;
/** A slot may stay empty, but never so many in a row. */
const SEARCH_SLOTS = 64n;

export type Block = { readonly slot: bigint; readonly blockhash: string };

/** The first block from a slot on; undefined while it is not final. */
export async function findBlock(
  rpc: Rpc<GetBlockApi & GetBlocksApi>,
  fromSlot: bigint,
): Promise<Block | undefined> {
  const [slot] = await rpc.getBlocks(fromSlot, fromSlot + SEARCH_SLOTS, { commitment: 'finalized' }).send();
  if (slot === undefined) return undefined;
  const block = await rpc
    .getBlock(slot, {
      commitment: 'finalized',
      maxSupportedTransactionVersion: 1,
      rewards: false,
      transactionDetails: 'none',
    })
    .send();
  return block ? { slot, blockhash: block.blockhash } : undefined;
}

import type { Chain } from '../platform/chain/chain.ts';

export type FirstBlock = { readonly slot: bigint; readonly blockhash: string };

/**
 * The first finalized block at or after a moment. Undefined while there is none, or while the node does not yet have its
 * content. Forgotten if the node does not have the block before it: an earlier one may then be missing.
 */
export async function findFirstBlock(
  { rpc, mode }: Pick<Chain, 'rpc' | 'mode'>,
  atMs: number,
): Promise<FirstBlock | 'forgotten' | undefined> {
  const atSeconds = BigInt(Math.ceil(atMs / 1000));
  const isInTime = async (slot: bigint) => (await rpc.getBlockTime(slot).send()) >= atSeconds;
  let last = await rpc.getSlot({ commitment: 'finalized' }).send();
  const newest = await blockAtOrAfter(last);
  if (newest === undefined || !(await isInTime(newest))) return undefined;
  let first = await rpc.getFirstAvailableBlock().send();
  // The block that is looked for lies in first..last.
  while (first < last) {
    const middle = (first + last) / 2n;
    const block = await blockAtOrAfter(middle);
    if (block === undefined || block >= last || (await isInTime(block))) last = middle;
    else first = block + 1n;
  }
  const slot = await blockAtOrAfter(first);
  if (slot === undefined) return undefined;
  const block = await rpc
    .getBlock(slot, {
      commitment: 'finalized',
      transactionDetails: 'none',
      rewards: false,
      maxSupportedTransactionVersion: 0,
    })
    .send();
  if (!block) return undefined;
  // The embedded chain makes no blocks while it is stopped, so there is none to miss.
  const isFirst = mode === 'embedded' || (await isBefore(block.parentSlot));
  return isFirst ? { slot, blockhash: block.blockhash } : 'forgotten';

  /** Whether the node has the block of that slot, and it is older than the moment. */
  async function isBefore(parentSlot: bigint): Promise<boolean> {
    return (await blockAtOrAfter(parentSlot)) === parentSlot && !(await isInTime(parentSlot));
  }

  /** Slots without a block are skipped. */
  async function blockAtOrAfter(slot: bigint): Promise<bigint | undefined> {
    const [block] = await rpc.getBlocksWithLimit(slot, 1, { commitment: 'finalized' }).send();
    return block;
  }
}

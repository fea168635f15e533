import type { GetBlockApi, Rpc } from '@solana/kit';
import type { BeaconBlock, ChainFacts } from './chain-facts.ts';
import { openRecording } from './open-recording.ts';
import type { PublicClaim } from './public-claim.ts';
import { wavesOf } from './waves.ts';

/** Adds the blocks that a recording says have placed its portals. */
export async function addBeacons(
  rpc: Rpc<GetBlockApi>,
  facts: ChainFacts,
  recording: Uint8Array,
  { isRunning }: Pick<PublicClaim, 'isRunning'>,
): Promise<ChainFacts> {
  const opened = await openRecording(recording, { isRunning });
  if (!opened.ok) return facts;
  const slots = (await wavesOf(opened.value)).flatMap(({ block }) => (block ? [block.slot] : []));
  const blocks = await Promise.all(
    slots.map(async (slot) => [slot, await readBlock(rpc, slot).catch(() => undefined)] as const),
  );
  return { ...facts, beacons: new Map(blocks.flatMap(([slot, block]) => (block ? [[slot, block]] : []))) };
}

async function readBlock(rpc: Rpc<GetBlockApi>, slot: bigint): Promise<BeaconBlock | undefined> {
  const block = await rpc
    .getBlock(slot, {
      commitment: 'finalized',
      maxSupportedTransactionVersion: 1,
      rewards: false,
      transactionDetails: 'none',
    })
    .send();
  if (!block) return undefined;
  const { blockhash, parentSlot, blockTime } = block;
  const isTold = blockTime !== null && blockTime !== undefined;
  return { blockhash, parentSlot, timeMs: isTold ? Number(blockTime) * 1000 : undefined };
}

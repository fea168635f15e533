import type { Surfpool } from './surfpool.ts';

/**
 * How many slots a transaction waits until it is final. Nothing forks here and everything shown is on disk already, so
 * this exists only to give clients the same steps as a public cluster. With Surfpool's own 31 slots, slots would have to
 * be so short that a blockhash (150 slots) expires while a person reads the wallet's dialog.
 */
const FINALITY_SLOTS = 8;

export type Commitment = 'processed' | 'confirmed' | 'finalized';

/** Defaults to finalized, as nodes do. */
export function commitmentOf(config: unknown): Commitment {
  const commitment = (config as { commitment?: unknown } | undefined)?.commitment;
  return commitment === 'processed' || commitment === 'confirmed' ? commitment : 'finalized';
}

export type Finality = {
  /** The newest slot that has reached the commitment. */
  newestSlotAt(commitment: Commitment, currentSlot: bigint): bigint;
  commitmentReached(slot: bigint, currentSlot: bigint): Commitment;
};

export function createFinality(slots = FINALITY_SLOTS): Finality {
  const newestSlotAt = (commitment: Commitment, currentSlot: bigint): bigint => {
    if (commitment === 'processed') return currentSlot;
    return currentSlot - (commitment === 'confirmed' ? 1n : BigInt(slots));
  };
  return {
    newestSlotAt,
    commitmentReached: (slot, currentSlot) => {
      if (slot <= newestSlotAt('finalized', currentSlot)) return 'finalized';
      return slot <= newestSlotAt('confirmed', currentSlot) ? 'confirmed' : 'processed';
    },
  };
}

export async function readCurrentSlot(surfpool: Surfpool): Promise<bigint> {
  const reply = await surfpool.call('getSlot', [{ commitment: 'processed' }]);
  if ('error' in reply) throw new Error(`getSlot failed: ${reply.error.message}`);
  return reply.result as bigint;
}

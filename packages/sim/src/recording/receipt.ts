import { concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/**
 * What a server signs while a match runs: up to here its recording is this one, and the chain was so far. Two receipts of
 * one match with the same part and another hash, or one that its recording does not contain, prove that it was changed.
 */
export type Receipt = {
  /** Parts of the recording so far, its header included. */
  readonly part: number;
  /** Where they end. */
  readonly tick: number;
  /** The hash of the recording up to there. */
  readonly chain: Uint8Array;
  /** The newest block that the server knew; 0 and zeros if none. */
  readonly slot: bigint;
  readonly blockhash: Uint8Array;
};

/** Begins with a text that nothing else is signed with. */
export function receiptBytes(commitment: Uint8Array, receipt: Receipt): Uint8Array {
  const numbers = new Uint8Array(16);
  const view = new DataView(numbers.buffer);
  view.setUint32(0, receipt.part, true);
  view.setUint32(4, receipt.tick, true);
  view.setBigUint64(8, receipt.slot, true);
  return concatBytes(
    utf8ToBytes('engulf receipt 1\n'),
    commitment,
    numbers,
    receipt.chain,
    receipt.blockhash,
  );
}

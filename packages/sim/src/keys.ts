import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/*
 * Where the randomness of a match comes from. The operator's secret is committed to before anybody may enter, and mixed
 * with a block that did not exist then, so that neither side chooses the outcome. docs/fairness.md has the formulas.
 */

/** A finalized block of the chain. */
export type PublicPart = {
  readonly slot: bigint;
  /** 32 bytes. */
  readonly blockhash: Uint8Array;
};

const KEY_BYTES = 32;

/** Published before the match. It fixes the secret without revealing it. */
export function commitmentOf(secret: Uint8Array): Uint8Array {
  return sha256(ofKeyLength(secret));
}

/** Determines everything random in a match. Null: no block was available, so only the secret counts. */
export function matchKeyOf(secret: Uint8Array, publicPart: PublicPart | null): Uint8Array {
  ofKeyLength(secret);
  if (!publicPart) return sha256(concatBytes(utf8ToBytes('engulf match 1 without block\n'), secret));
  const slot = new Uint8Array(8);
  new DataView(slot.buffer).setBigUint64(0, publicPart.slot, true);
  const block = ofKeyLength(publicPart.blockhash);
  return sha256(concatBytes(utf8ToBytes('engulf match 1\n'), secret, slot, block));
}

/** Each purpose has a key of its own: the numbers of one reveal nothing about the others. */
export function streamKeyOf(matchKey: Uint8Array, purpose: string): Uint8Array {
  return sha256(concatBytes(utf8ToBytes(`engulf stream 1 ${purpose}\n`), ofKeyLength(matchKey)));
}

/** For benchmarks and tests, which identify a match by a number. Anyone can guess it. */
export function numberedKey(number: number): Uint8Array {
  return sha256(utf8ToBytes(`engulf test ${number}`));
}

/** How secrets, commitments and hashes are written for people. */
export function toHex(bytes: Uint8Array): string {
  return bytesToHex(bytes);
}

function ofKeyLength(bytes: Uint8Array): Uint8Array {
  if (bytes.length !== KEY_BYTES) throw new RangeError(`expected ${KEY_BYTES} bytes, got ${bytes.length}`);
  return bytes;
}

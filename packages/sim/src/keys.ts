import { sha256 } from '@noble/hashes/sha2.js';
import { bytesToHex, concatBytes, utf8ToBytes } from '@noble/hashes/utils.js';

/*
 * Where the randomness of a match comes from. The operator's secret is committed to before anybody may enter, and mixed
 * with a block that did not exist then, so that neither side chooses the outcome. Each epoch of a match has a secret of its
 * own, the hash of the next one's: publishing those of the past tells nothing about what is to come, and none can be swapped
 * for another. docs/fairness.md has the formulas.
 */

/** A finalized block of the chain. */
export type PublicPart = {
  readonly slot: bigint;
  /** 32 bytes. */
  readonly blockhash: Uint8Array;
};

const KEY_BYTES = 32;

/** How many epochs have secrets. With ten minutes each that is 42 hours, and matches end after a day. The last one does not end. */
export const EPOCHS = 256;

/** The secret of one epoch, from which those of all earlier ones follow. */
export type KnownSecret = { readonly secret: Uint8Array; readonly epoch: number };

/** What a match draws before it is committed to: the secret of the last epoch that there can be. */
export function lastSecret(secret: Uint8Array): KnownSecret {
  return { secret, epoch: EPOCHS - 1 };
}

export function secretOf({ secret, epoch: known }: KnownSecret, epoch: number): Uint8Array {
  if (!(epoch >= 0 && epoch <= known)) throw new RangeError(`the secret of epoch ${epoch} is not known`);
  let found = ofKeyLength(secret);
  for (let at = known; at > epoch; at--) found = earlier(found);
  return found;
}

const EPOCH_TEXT = utf8ToBytes('engulf epoch 1\n');

/** Which epoch a published secret is of: so often it is hashed until it fits the commitment. Undefined if it never does. */
export function recogniseSecret(secret: Uint8Array, commitment: Uint8Array): KnownSecret | undefined {
  const wanted = toHex(commitment);
  let found = ofKeyLength(secret);
  for (let epoch = 0; epoch < EPOCHS; epoch++) {
    if (toHex(commitmentOf(found)) === wanted) return { secret, epoch };
    found = earlier(found);
  }
  return undefined;
}

function earlier(secret: Uint8Array): Uint8Array {
  return sha256(concatBytes(EPOCH_TEXT, secret));
}

/** One key for the whole match, as before version 6, or one for each epoch. */
export type MatchKey = Uint8Array | ((epoch: number) => Uint8Array);

/** The keys of all epochs whose secrets are known. */
export function keysUpTo(known: KnownSecret, publicPart: PublicPart | null): (epoch: number) => Uint8Array {
  return (epoch) => matchKeyOf(secretOf(known, epoch), publicPart);
}

/** Of a recording, from the secret that was published for it. Throws if that is of another match. */
export function keysOfRecording(
  header: { readonly commitment: Uint8Array; readonly publicPart: PublicPart | null },
  secret: Uint8Array,
): (epoch: number) => Uint8Array {
  const known = recogniseSecret(secret, header.commitment);
  if (!known) throw new RangeError('the secret is not the one of this recording');
  return keysUpTo(known, header.publicPart);
}

/** Of the secret of the first epoch. Published before the match: it fixes all secrets without revealing any. */
export function commitmentOf(secret: Uint8Array): Uint8Array {
  return sha256(ofKeyLength(secret));
}

/** Determines everything random in an epoch. Null: no block was available, so only the secret counts. */
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

/** The portals of one wave, from the key of their stream and a block that nobody knew before. */
export function waveKeyOf(portalsKey: Uint8Array, wave: number, { slot, blockhash }: PublicPart): Uint8Array {
  const numbers = new Uint8Array(12);
  const view = new DataView(numbers.buffer);
  view.setUint32(0, wave, true);
  view.setBigUint64(4, slot, true);
  const parts = [ofKeyLength(portalsKey), numbers, ofKeyLength(blockhash)];
  return sha256(concatBytes(utf8ToBytes('engulf wave 1\n'), ...parts));
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

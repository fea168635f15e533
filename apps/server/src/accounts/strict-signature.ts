import type { WalletAddress } from '@engulf/domain/ids/entity-ids';
import { ed25519 } from '@noble/curves/ed25519.js';
import { getBase58Encoder } from '@solana/kit';

/**
 * Refuses what looser rules accept: keys of small or mixed order, for which anyone can make signatures that are valid
 * for many messages, and non-canonical encodings of signatures.
 */
export function isStrictlySigned(wallet: WalletAddress, message: Uint8Array, signature: Uint8Array): boolean {
  const publicKey = Uint8Array.from(getBase58Encoder().encode(wallet));
  try {
    if (!ed25519.Point.fromBytes(publicKey).isTorsionFree()) return false;
    return ed25519.verify(signature, message, publicKey, { zip215: false });
  } catch {
    // The 32 bytes are not a point on the curve, or not its canonical encoding.
    return false;
  }
}

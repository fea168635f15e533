import { getBase58Decoder } from '@solana/kit';

/** A made-up address (32 bytes) or signature (64 bytes). */
export function randomBase58(byteCount: number): string {
  return getBase58Decoder().decode(crypto.getRandomValues(new Uint8Array(byteCount)));
}

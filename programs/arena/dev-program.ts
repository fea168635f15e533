/**
 * The program address for development chains, and the private key behind it.
 *
 * The key is derived from public text, so anyone can deploy at this address. That is fine for a local chain, where the
 * address only has to stay the same across restarts. A public cluster gets its own key. The program works at any
 * address.
 */
export const DEV_PROGRAM_ADDRESS = 'CFtdjtiYjwfRbKvB45xmGnozzDGNEpMy15ekSrsjNqWA';

const DEV_PROGRAM_SEED_TEXT = 'engulf/arena/dev-program';

/** The 32-byte Ed25519 seed, for `createKeyPairSignerFromPrivateKeyBytes`. */
export async function devProgramPrivateKey(): Promise<Uint8Array> {
  const digest = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(DEV_PROGRAM_SEED_TEXT));
  return new Uint8Array(digest);
}

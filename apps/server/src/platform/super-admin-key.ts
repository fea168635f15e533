import type { Address, KeyPairSigner } from '@solana/kit';

/**
 * The key of the super admin, which can empty the pools, or one that may pay out of them. It is passed around wrapped; only
 * the folders that may import this file can unwrap it: the signer of payouts, the operator's commands and the lobbies' seeds.
 */
export type ClosedKey = { readonly address: Address };

const signers = new WeakMap<ClosedKey, KeyPairSigner>();

export function closeKey(signer: KeyPairSigner): ClosedKey {
  const key = { address: signer.address };
  signers.set(key, signer);
  return key;
}

export function openKey(key: ClosedKey | undefined): KeyPairSigner {
  const signer = key && signers.get(key);
  if (!signer) throw new Error('This needs SUPER_ADMIN_KEYPAIR');
  return signer;
}

import type { Address, KeyPairSigner } from '@solana/kit';

/**
 * The key of the super admin, which can empty the pools. It is passed around wrapped; only the folders that may import
 * this file can unwrap it: the signer of payouts, the operator's commands and the lobbies' seeds.
 */
export type SuperAdminKey = { readonly address: Address };

const signers = new WeakMap<SuperAdminKey, KeyPairSigner>();

export function closeKey(signer: KeyPairSigner): SuperAdminKey {
  const key = { address: signer.address };
  signers.set(key, signer);
  return key;
}

export function openKey(key: SuperAdminKey | undefined): KeyPairSigner {
  const signer = key && signers.get(key);
  if (!signer) throw new Error('This needs SUPER_ADMIN_KEYPAIR');
  return signer;
}

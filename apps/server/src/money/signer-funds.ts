import type { Context } from '../platform/context.ts';

/** How long the super admin can go on paying for claims. */
export type SignerFunds = {
  readonly lamports: bigint;
  /** At the highest price that is allowed for one. */
  readonly claimsLeft: number;
};

const SIGNATURE_FEE_LAMPORTS = 5_000n;

/** Reads the balance that pays for claims and alarms while it is enough for fewer than `lowClaims` of them. */
export async function readSignerFunds(
  { chain, logger }: Context,
  { lowClaims, maxPriorityFeeLamports }: { lowClaims: number; maxPriorityFeeLamports: bigint },
): Promise<SignerFunds> {
  const { superAdmin } = await chain.readPlatform();
  const { value: lamports } = await chain.rpc.getBalance(superAdmin, { commitment: 'confirmed' }).send();
  const claimsLeft = Number(lamports / (SIGNATURE_FEE_LAMPORTS + maxPriorityFeeLamports));
  if (claimsLeft < lowClaims) {
    logger.error(
      { code: 'SIGNER_FUNDS_LOW', superAdmin, lamports, claimsLeft },
      'the super admin can soon no longer pay for payouts',
    );
  }
  return { lamports, claimsLeft };
}

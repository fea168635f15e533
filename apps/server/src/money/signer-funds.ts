import { readPayoutKey } from '@engulf/chain/accounts/payout-key';
import type { Address } from '@solana/kit';
import { listAllLobbies } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';

/** How long claims can still be paid for. */
export type SignerFunds = {
  /** The poorest of those that sign claims. */
  readonly wallet: Address;
  readonly lamports: bigint;
  /** At the highest price that is allowed for one. */
  readonly claimsLeft: number;
};

const SIGNATURE_FEE_LAMPORTS = 5_000n;

/** Reads the balances that pay for claims and alarms while one is enough for fewer than `lowClaims` of them. */
export async function readSignerFunds(
  context: Pick<Context, 'db' | 'chain' | 'logger'>,
  { lowClaims, maxPriorityFeeLamports }: { lowClaims: number; maxPriorityFeeLamports: bigint },
): Promise<SignerFunds> {
  const { chain, logger } = context;
  const found: SignerFunds[] = [];
  for (const wallet of await findClaimants(context)) {
    const { value: lamports } = await chain.rpc.getBalance(wallet, { commitment: 'confirmed' }).send();
    const claimsLeft = Number(lamports / (SIGNATURE_FEE_LAMPORTS + maxPriorityFeeLamports));
    found.push({ wallet, lamports, claimsLeft });
    if (claimsLeft >= lowClaims) continue;
    logger.error(
      { code: 'SIGNER_FUNDS_LOW', wallet, lamports, claimsLeft },
      'a wallet that signs claims can soon no longer pay for payouts',
    );
  }
  return found.reduce((poorest, funds) => (funds.claimsLeft < poorest.claimsLeft ? funds : poorest));
}

/** The payout keys that the chain obeys, and the super admin unless each lobby has one. */
async function findClaimants({ chain, db }: Pick<Context, 'db' | 'chain'>): Promise<Set<Address>> {
  const { superAdmin } = await chain.readPlatform();
  const claimants = new Set<Address>();
  for (const { chainLobbyId, stage } of await listAllLobbies(db)) {
    if (chainLobbyId === null || stage !== 'ready') continue;
    const granted = await readPayoutKey(chain.rpc, chain.programId, chainLobbyId);
    claimants.add(granted?.setBy === superAdmin ? granted.key : superAdmin);
  }
  return claimants.size > 0 ? claimants : new Set([superAdmin]);
}

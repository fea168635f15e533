import { type Address, containsBytes, decodeTransactionFromRpcResponse, walkInstructions } from '@solana/kit';
import {
  CLAIM_MULTIPLE_REWARDS_DISCRIMINATOR,
  parseClaimMultipleRewardsInstruction,
} from '../generated/instructions/claimMultipleRewards.ts';
import type { ConfirmedTransaction } from '../node/confirmed-transaction.ts';
import { MEMO_PROGRAM } from './claim-message.ts';

/** What a transaction of payouts did. */
export type Claim = {
  readonly memo: string;
  readonly payments: readonly { readonly player: Address; readonly amount: bigint }[];
};

/** The accounts before the recipients. */
const FIXED_ACCOUNTS = 6;

/** Reads a successful claim; undefined for a transaction that failed or is something else. */
export function readClaim(transaction: ConfirmedTransaction, programId: Address): Claim | undefined {
  const { meta } = transaction;
  if (!meta || meta.err || !meta.innerInstructions) return undefined;
  const { compiledMessage, loadedAddresses } = decodeTransactionFromRpcResponse(transaction);
  const steps = walkInstructions({ compiledMessage, loadedAddresses, meta });
  const payments = steps.flatMap(({ programAddress, accounts, data }) => {
    if (programAddress !== programId || !accounts || !data) return [];
    if (data.length < 8 || !containsBytes(data, CLAIM_MULTIPLE_REWARDS_DISCRIMINATOR, 0)) return [];
    const claim = parseClaimMultipleRewardsInstruction({ programAddress, accounts, data });
    // In a token lobby each player is followed by the account that is paid.
    const perPlayer = claim.accounts.tokenMint ? 2 : 1;
    return claim.data.amounts.map((amount, i) => ({
      player: accounts[FIXED_ACCOUNTS + i * perPlayer]!.address,
      amount,
    }));
  });
  if (payments.length === 0) return undefined;
  const memo = steps.find(({ programAddress }) => programAddress === MEMO_PROGRAM)?.data;
  return { memo: memo ? new TextDecoder().decode(memo as Uint8Array) : '', payments };
}

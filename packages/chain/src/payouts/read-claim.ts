import {
  type Address,
  containsBytes,
  decodeTransactionFromRpcResponse,
  type ReadonlyUint8Array,
  walkInstructions,
} from '@solana/kit';
import { batchIdFrom } from '../accounts/claim-counter.ts';
import {
  CLAIM_IN_ORDER_DISCRIMINATOR,
  parseClaimInOrderInstruction,
} from '../generated/instructions/claimInOrder.ts';
import {
  CLAIM_MULTIPLE_REWARDS_DISCRIMINATOR,
  parseClaimMultipleRewardsInstruction,
} from '../generated/instructions/claimMultipleRewards.ts';
import type { ConfirmedTransaction } from '../node/confirmed-transaction.ts';
import { MEMO_PROGRAM } from './claim-message.ts';

/** What a transaction of payouts did. */
export type Claim = {
  readonly memo: string;
  /** Undefined if it is not one of our batches. */
  readonly batchId: string | undefined;
  /** Undefined for a claim that was not made in order. */
  readonly number: bigint | undefined;
  readonly payments: readonly { readonly player: Address; readonly amount: bigint }[];
};

/** Reads a successful claim; undefined for a transaction that failed or is something else. */
export function readClaim(transaction: ConfirmedTransaction, programId: Address): Claim | undefined {
  const { meta } = transaction;
  if (!meta || meta.err || !meta.innerInstructions) return undefined;
  const { compiledMessage, loadedAddresses } = decodeTransactionFromRpcResponse(transaction);
  const steps = walkInstructions({ compiledMessage, loadedAddresses, meta });
  const claims = steps.flatMap(({ programAddress, accounts, data }) =>
    programAddress === programId && accounts && data ? parse({ programAddress, accounts, data }) : [],
  );
  if (claims.length === 0) return undefined;
  const bytes = steps.find(({ programAddress }) => programAddress === MEMO_PROGRAM)?.data;
  const memo = bytes ? new TextDecoder().decode(bytes as Uint8Array) : '';
  const inOrder = claims.find(({ number }) => number !== undefined);
  return {
    memo,
    batchId: inOrder ? inOrder.batchId : UUID_AT_START.exec(memo)?.[0],
    number: inOrder?.number,
    payments: claims.flatMap(({ payments }) => payments),
  };
}

/** Where a claim without a number has the id of its batch. */
const UUID_AT_START = /^[\da-f]{8}(-[\da-f]{4}){3}-[\da-f]{12}(?= |$)/;

type Step = Parameters<typeof parseClaimInOrderInstruction>[0] & {
  readonly accounts: readonly { readonly address: Address }[];
  readonly data: ReadonlyUint8Array;
};

function parse(step: Step): Omit<Claim, 'memo'>[] {
  if (isNamed(step, CLAIM_IN_ORDER_DISCRIMINATOR)) {
    const { accounts, data } = parseClaimInOrderInstruction(step);
    const { number, batch, amounts } = data;
    return [{ number, batchId: batchIdFrom(batch), payments: paymentsOf(step, accounts, amounts) }];
  }
  if (isNamed(step, CLAIM_MULTIPLE_REWARDS_DISCRIMINATOR)) {
    const { accounts, data } = parseClaimMultipleRewardsInstruction(step);
    return [{ number: undefined, batchId: undefined, payments: paymentsOf(step, accounts, data.amounts) }];
  }
  return [];
}

const isNamed = ({ data }: Step, discriminator: Uint8Array) =>
  data.length >= discriminator.length && containsBytes(data, discriminator, 0);

/** The recipients follow the named accounts. In a token lobby each player is followed by the account that is paid. */
function paymentsOf({ accounts }: Step, named: { readonly tokenMint?: unknown }, amounts: readonly bigint[]) {
  const perPlayer = named.tokenMint ? 2 : 1;
  const recipients = accounts.slice(accounts.length - amounts.length * perPlayer);
  return amounts.map((amount, index) => ({ player: recipients[index * perPlayer]!.address, amount }));
}

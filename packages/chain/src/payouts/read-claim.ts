import {
  type Address,
  containsBytes,
  decodeTransactionFromRpcResponse,
  type ReadonlyUint8Array,
  walkInstructions,
} from '@solana/kit';
import { batchIdFrom } from '../accounts/claim-counter.ts';
import {
  CLAIM_BY_PAYOUT_KEY_DISCRIMINATOR,
  parseClaimByPayoutKeyInstruction,
} from '../generated/instructions/claimByPayoutKey.ts';
import {
  CLAIM_IN_ORDER_DISCRIMINATOR,
  parseClaimInOrderInstruction,
} from '../generated/instructions/claimInOrder.ts';
import {
  CLAIM_MULTIPLE_REWARDS_DISCRIMINATOR,
  parseClaimMultipleRewardsInstruction,
} from '../generated/instructions/claimMultipleRewards.ts';
import {
  CLAIM_REWARD_DISCRIMINATOR,
  parseClaimRewardInstruction,
} from '../generated/instructions/claimReward.ts';
import type { ConfirmedTransaction } from '../node/confirmed-transaction.ts';
import { memoText } from '../node/memo-text.ts';
import { MEMO_PROGRAM } from './claim-message.ts';

/** What a transaction of payouts did. */
export type Claim = {
  readonly memo: string;
  /** Undefined if it is not one of our batches. */
  readonly batchId: string | undefined;
  /** Undefined for a claim that was not made in order. */
  readonly number: bigint | undefined;
  readonly payments: readonly ClaimPayment[];
};

/** One payment out of a pool. */
type ClaimPayment = {
  /** Out of whose pool. */
  readonly lobbyConfig: Address;
  /** Undefined for SOL. */
  readonly tokenMint: Address | undefined;
  readonly player: Address;
  readonly amount: bigint;
};

/** One claim in order. Whoever has the key can put several into a transaction, and name any batch. */
export type OrderedClaim = {
  readonly number: bigint;
  readonly batchId: string;
  readonly payments: readonly ClaimPayment[];
};

/** Reads a successful claim; undefined for a transaction that failed or is something else. */
export function readClaim(transaction: ConfirmedTransaction, programId: Address): Claim | undefined {
  const { steps, claims } = readAll(transaction, programId);
  if (claims.length === 0) return undefined;
  const bytes = steps.find(({ programAddress }) => programAddress === MEMO_PROGRAM)?.data;
  const memo = bytes ? memoText(bytes) : '';
  const inOrder = claims.find(({ number }) => number !== undefined);
  return {
    memo,
    batchId: inOrder ? inOrder.batchId : UUID_AT_START.exec(memo)?.[0],
    number: inOrder?.number,
    payments: claims.flatMap(({ payments }) => payments),
  };
}

/** The claims in order that a successful transaction has made out of one pool, by their numbers. */
export function readOrderedClaims(
  transaction: ConfirmedTransaction,
  programId: Address,
  lobbyConfig: Address,
): OrderedClaim[] {
  return readAll(transaction, programId)
    .claims.flatMap(({ number, batchId, payments }) =>
      number !== undefined && batchId !== undefined && payments[0]?.lobbyConfig === lobbyConfig
        ? [{ number, batchId, payments }]
        : [],
    )
    .sort((a, b) => Number(a.number - b.number));
}

function readAll(transaction: ConfirmedTransaction, programId: Address) {
  const { meta } = transaction;
  if (!meta || meta.err || !meta.innerInstructions) return { steps: [], claims: [] };
  const { compiledMessage, loadedAddresses } = decodeTransactionFromRpcResponse(transaction);
  const steps = walkInstructions({ compiledMessage, loadedAddresses, meta });
  const claims = steps.flatMap(({ programAddress, accounts, data }) =>
    programAddress === programId && accounts && data ? parse({ programAddress, accounts, data }) : [],
  );
  return { steps, claims };
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
  if (isNamed(step, CLAIM_BY_PAYOUT_KEY_DISCRIMINATOR)) {
    const { accounts, data } = parseClaimByPayoutKeyInstruction(step);
    const { number, batch, amounts } = data;
    return [{ number, batchId: batchIdFrom(batch), payments: paymentsOf(step, accounts, amounts) }];
  }
  if (isNamed(step, CLAIM_MULTIPLE_REWARDS_DISCRIMINATOR)) {
    const { accounts, data } = parseClaimMultipleRewardsInstruction(step);
    return [{ number: undefined, batchId: undefined, payments: paymentsOf(step, accounts, data.amounts) }];
  }
  if (isNamed(step, CLAIM_REWARD_DISCRIMINATOR)) {
    const { accounts, data } = parseClaimRewardInstruction(step);
    const payment = { ...poolOf(accounts), player: accounts.player.address, amount: data.amount };
    return [{ number: undefined, batchId: undefined, payments: [payment] }];
  }
  return [];
}

const isNamed = ({ data }: Step, discriminator: Uint8Array) =>
  data.length >= discriminator.length && containsBytes(data, discriminator, 0);

type NamedAccounts = {
  readonly lobbyConfig: { readonly address: Address };
  readonly tokenMint?: { readonly address: Address } | undefined;
};

/** The recipients follow the named accounts. In a token lobby each player is followed by the account that is paid. */
function paymentsOf({ accounts }: Step, named: NamedAccounts, amounts: readonly bigint[]): ClaimPayment[] {
  const perPlayer = named.tokenMint ? 2 : 1;
  const recipients = accounts.slice(accounts.length - amounts.length * perPlayer);
  return amounts.map((amount, index) => ({
    ...poolOf(named),
    player: recipients[index * perPlayer]!.address,
    amount,
  }));
}

function poolOf({ lobbyConfig, tokenMint }: NamedAccounts): Pick<ClaimPayment, 'lobbyConfig' | 'tokenMint'> {
  return { lobbyConfig: lobbyConfig.address, tokenMint: tokenMint?.address };
}

import { type Failure, failure } from '@engulf/domain/errors/registry';
import type {
  Address,
  GetBlockHeightApi,
  GetSignatureStatusesApi,
  GetTransactionApi,
  Rpc,
  Signature,
} from '@solana/kit';
import { findLobbyConfig } from '../accounts/pdas.ts';
import { answersOf, neededNodes } from '../node/agreement.ts';
import type { ConfirmedTransaction } from '../node/confirmed-transaction.ts';
import { describeTransactionError } from '../node/error-texts.ts';
import { MAX_TRANSACTION_VERSION, readTransaction } from '../node/read-transaction.ts';
import { findPaymentGap, type JoinPayment, readJoinPayments } from './join-payments.ts';

type VerifyRpc = Rpc<GetBlockHeightApi & GetSignatureStatusesApi & GetTransactionApi>;

type ExpectedPayment = {
  readonly programId: Address;
  readonly lobbyId: bigint;
  readonly wallet: Address;
  readonly entryFee: bigint;
  /** Undefined for SOL. */
  readonly tokenMint: Address | undefined;
};

export type PaymentVerdict =
  | {
      readonly kind: 'paid';
      readonly payment: JoinPayment;
      readonly slot: bigint;
      /** Further entries paid by the same transaction. Nobody else can claim them with this signature. */
      readonly surplus: readonly JoinPayment[];
    }
  /** Undecided: ask again. */
  | { readonly kind: 'pending'; readonly reason: 'not-seen' | 'not-final' | 'not-readable' | 'node-failed' }
  | { readonly kind: 'refused'; readonly failure: PaymentRefusal };

export type PaymentRefusal = Failure<
  'WALLET_ADDRESS_MISMATCH' | 'PAYMENT_DESTINATION_VERIFICATION_FAILED' | 'TRANSACTION_FAILED'
>;

type PaymentToVerify = {
  /** Of different providers. A payment counts when two of them show it, if there are two. */
  readonly nodes: readonly VerifyRpc[];
  readonly signature: Signature;
  readonly expected: ExpectedPayment;
  /**
   * The block height when the signature was first reported. It was signed before that, so its blockhash expires at
   * most 150 blocks later, and a transaction that is still unknown then never lands.
   */
  readonly heardAtBlockHeight: bigint;
};

/**
 * Decides whether a signature paid for an entry. Safe to repeat: nodes answer late, twice or not at all, and until the
 * transaction is final or has expired the verdict is `pending`.
 */
export async function verifyPayment(request: PaymentToVerify): Promise<PaymentVerdict> {
  try {
    return await askChain(request);
  } catch (error) {
    // A node that fails to answer says nothing about the payment.
    if (isNodeFailure(error)) return { kind: 'pending', reason: 'node-failed' };
    throw error;
  }
}

async function askChain({
  nodes,
  signature,
  expected,
  heardAtBlockHeight,
}: PaymentToVerify): Promise<PaymentVerdict> {
  // The heights come first: a status that is missing after the blockhash expired stays missing.
  const answers = await ask(() => askAll(nodes, signature));
  const blocksLater = lowest(answers.map(({ height }) => height)) - heardAtBlockHeight;
  const seen = answers.flatMap(({ status }) => (status ? [status] : []));
  if (seen.length === 0) {
    const isLate = blocksLater > BLOCKHASH_LIFETIME_BLOCKS + NODE_LAG_BLOCKS;
    const isExpired = isLate && (await isUnknownEverywhere(nodes, signature));
    return isExpired ? failed('it expired before it reached the network') : pending('not-seen');
  }
  const giveUp = (reason: string, verdict: PaymentVerdict) =>
    blocksLater > READABLE_WITHIN_BLOCKS ? failed(reason) : verdict;
  const final = seen.filter(({ confirmationStatus }) => confirmationStatus === 'finalized');
  const errors = final.flatMap(({ err }) => (err === null ? [] : [err]));
  if (errors.length >= neededNodes(nodes)) return failed(describeTransactionError(errors[0]));
  if (final.length - errors.length < neededNodes(nodes))
    return giveUp('too few nodes call it final', pending('not-final'));
  const findGap = (shown: ConfirmedTransaction) => findPaymentGap(shown, expected.programId);
  const reading = await ask(() => readTransaction(nodes, signature, findGap));
  if (reading.kind === 'unreadable') return giveUp('no two nodes can show it', pending('not-readable'));
  const { transaction } = reading;
  if (transaction.meta.err !== null) return failed(describeTransactionError(transaction.meta.err));
  const lobbyConfig = await findLobbyConfig(expected.programId, expected.lobbyId);
  return judge(readJoinPayments(transaction, expected.programId), expected, lobbyConfig, transaction.slot);
}

/** What each of the nodes says that answers. */
async function askAll(nodes: readonly VerifyRpc[], signature: Signature) {
  const looks = nodes.map(async (node) => {
    const height = await node.getBlockHeight({ commitment: 'finalized' }).send();
    const { value } = await node.getSignatureStatuses([signature], { searchTransactionHistory: true }).send();
    return { height, status: value[0] };
  });
  return answersOf(await Promise.allSettled(looks));
}

const lowest = (heights: readonly bigint[]) => heights.reduce((low, next) => (next < low ? next : low));

const BLOCKHASH_LIFETIME_BLOCKS = 150n;
/**
 * One address may stand for several nodes, some of which lag behind: the height then comes from another one than the
 * status. A payment that lands in spite of it is found by the reconciler.
 */
const NODE_LAG_BLOCKS = 200n;

/** Nodes store statuses and transactions separately, and one that was restored from a snapshot lacks the older ones. */
async function isUnknownEverywhere(nodes: readonly VerifyRpc[], signature: Signature): Promise<boolean> {
  for (const node of nodes) {
    const { value } = await ask(() =>
      node.getSignatureStatuses([signature], { searchTransactionHistory: true }).send(),
    );
    if (value[0]) return false;
    const transaction = await ask(() =>
      node
        .getTransaction(signature, {
          commitment: 'confirmed',
          encoding: 'base64',
          maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
        })
        .send(),
    );
    if (transaction) return false;
  }
  return true;
}

/** About ten minutes: anyone can claim a signature that no node can show, and it must not be looked up for ever. */
const READABLE_WITHIN_BLOCKS = 1_500n;

function judge(
  payments: readonly JoinPayment[],
  expected: ExpectedPayment,
  lobbyConfig: Address,
  slot: bigint,
): PaymentVerdict {
  const toLobby = payments.filter(
    (payment) => payment.lobbyConfig === lobbyConfig && isCompletePayment(payment, expected),
  );
  if (toLobby.length === 0) return refused(failure('PAYMENT_DESTINATION_VERIFICATION_FAILED'));
  const payment = toLobby.find(({ player }) => player === expected.wallet);
  if (!payment) return refused(failure('WALLET_ADDRESS_MISMATCH'));
  return { kind: 'paid', payment, slot, surplus: payments.filter((other) => other !== payment) };
}

/**
 * Whether a payment into a lobby is the whole price in its currency. The treasury may have changed since: the program
 * checked it when it took the payment.
 */
export function isCompletePayment(
  payment: JoinPayment,
  expected: Pick<ExpectedPayment, 'tokenMint' | 'entryFee'>,
): boolean {
  return (
    payment.tokenMint === expected.tokenMint &&
    payment.entryFee === expected.entryFee &&
    payment.platformFee + payment.stake === expected.entryFee
  );
}

function refused(refusal: PaymentRefusal): PaymentVerdict {
  return { kind: 'refused', failure: refusal };
}

function failed(reason: string): PaymentVerdict {
  return refused(failure('TRANSACTION_FAILED', { reason }));
}

function pending(reason: Extract<PaymentVerdict, { kind: 'pending' }>['reason']): PaymentVerdict {
  return { kind: 'pending', reason };
}

/** Marks errors of the node, so that our own bugs are not mistaken for them. */
const NODE_FAILURE = Symbol('node failure');

async function ask<Answer>(request: () => Promise<Answer>): Promise<Answer> {
  try {
    return await request();
  } catch (cause) {
    throw Object.assign(new Error('The node did not answer', { cause }), { [NODE_FAILURE]: true });
  }
}

function isNodeFailure(error: unknown): boolean {
  return error instanceof Error && NODE_FAILURE in error;
}

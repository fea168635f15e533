import type {
  GetBlockHeightApi,
  GetSignatureStatusesApi,
  GetTransactionApi,
  Rpc,
  Signature,
  TransactionError,
} from '@solana/kit';
import { describeTransactionError } from './transaction-error.ts';

export type TransactionFate =
  | { readonly kind: 'finalized'; readonly slot: bigint }
  /** It landed, was charged and did nothing. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It did not land and never will, as far as the nodes that were asked remember. */
  | { readonly kind: 'expired' };

type FateRpc = Rpc<GetBlockHeightApi & GetSignatureStatusesApi & GetTransactionApi>;

/** Behind one address there may be several nodes, not all equally far. */
export const NODE_LAG_BLOCKS = 32n;

/**
 * Waits until a sent transaction has an end that nothing can change. A node that fails to answer is asked again;
 * `signal` is the way to give up.
 */
export async function awaitFinality(request: {
  readonly rpc: FateRpc;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
  readonly pollMs?: number;
  readonly signal?: AbortSignal;
}): Promise<TransactionFate> {
  const { pollMs = 500, signal } = request;
  for (;;) {
    signal?.throwIfAborted();
    const fate = await lookUpFate(request).catch(() => undefined);
    if (fate) return fate;
    await new Promise((done) => setTimeout(done, pollMs));
  }
}

/** Undefined while it is still open. */
export async function lookUpFate(request: {
  readonly rpc: FateRpc;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
}): Promise<TransactionFate | undefined> {
  const { rpc, signature, lastValidBlockHeight } = request;
  // The height comes first: a status that is missing after the last valid height stays missing, if the node that
  // was asked for it is as far as that.
  const height = await rpc.getBlockHeight({ commitment: 'finalized' }).send();
  const { value } = await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send();
  const status = value[0];
  if (status) return status.confirmationStatus === 'finalized' ? fateOf(status.slot, status.err) : undefined;
  if (height <= lastValidBlockHeight + NODE_LAG_BLOCKS) return undefined;
  return lookUpLanded(rpc, signature);
}

/** Nodes keep statuses and transactions apart: one that lost the status may still have the transaction. */
async function lookUpLanded(rpc: FateRpc, signature: Signature): Promise<TransactionFate | undefined> {
  const transaction = await rpc
    .getTransaction(signature, {
      commitment: 'finalized',
      encoding: 'base64',
      maxSupportedTransactionVersion: 0,
    })
    .send();
  if (!transaction) return { kind: 'expired' };
  return transaction.meta ? fateOf(transaction.slot, transaction.meta.err) : undefined;
}

function fateOf(slot: bigint, error: TransactionError | null): TransactionFate {
  return error === null
    ? { kind: 'finalized', slot }
    : { kind: 'failed', reason: describeTransactionError(error) };
}

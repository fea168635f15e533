import type {
  GetBlockHeightApi,
  GetSignatureStatusesApi,
  GetTransactionApi,
  Rpc,
  Signature,
  TransactionError,
} from '@solana/kit';
import { describeTransactionError } from './error-texts.ts';

export type TransactionFate =
  | { readonly kind: 'finalized'; readonly slot: bigint }
  /** It landed and failed: the fee was charged, nothing else happened. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It did not land and never will, as far as the nodes remember. */
  | { readonly kind: 'expired' };

type FateRpc = Rpc<GetBlockHeightApi & GetSignatureStatusesApi & GetTransactionApi>;

/** One address may stand for several nodes, some of which lag behind. */
export const NODE_LAG_BLOCKS = 32n;

/**
 * Waits until the fate of a sent transaction can no longer change. Asks again when the node fails to answer; abort
 * `signal` to give up.
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

/** Undefined while undecided. */
export async function lookUpFate(request: {
  readonly rpc: FateRpc;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
}): Promise<TransactionFate | undefined> {
  const { rpc, signature, lastValidBlockHeight } = request;
  // The height comes first: a status that is missing after the last valid height stays missing, unless the node lags
  // behind.
  const height = await rpc.getBlockHeight({ commitment: 'finalized' }).send();
  const { value } = await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send();
  const status = value[0];
  if (status) return status.confirmationStatus === 'finalized' ? fateOf(status.slot, status.err) : undefined;
  if (height <= lastValidBlockHeight + NODE_LAG_BLOCKS) return undefined;
  return lookUpLanded(rpc, signature);
}

/** Nodes store statuses and transactions separately: one that lost the status may still have the transaction. */
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

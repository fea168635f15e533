import type { GetBlockHeightApi, GetSignatureStatusesApi, Rpc, Signature } from '@solana/kit';
import { describeTransactionError } from './transaction-error.ts';

export type TransactionFate =
  | { readonly kind: 'finalized'; readonly slot: bigint }
  /** It landed, was charged and did nothing. */
  | { readonly kind: 'failed'; readonly reason: string }
  /** It did not land and never will. */
  | { readonly kind: 'expired' };

/**
 * Waits until a sent transaction has an end that nothing can change. A node that fails to answer is asked again;
 * `signal` is the way to give up.
 */
export async function awaitFinality(request: {
  readonly rpc: Rpc<GetBlockHeightApi & GetSignatureStatusesApi>;
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
  readonly rpc: Rpc<GetBlockHeightApi & GetSignatureStatusesApi>;
  readonly signature: Signature;
  readonly lastValidBlockHeight: bigint;
}): Promise<TransactionFate | undefined> {
  const { rpc, signature, lastValidBlockHeight } = request;
  // The height comes first: a status that is missing after the last valid height stays missing.
  const height = await rpc.getBlockHeight({ commitment: 'finalized' }).send();
  const { value } = await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send();
  const status = value[0];
  if (!status) return height > lastValidBlockHeight ? { kind: 'expired' } : undefined;
  if (status.confirmationStatus !== 'finalized') return undefined;
  return status.err === null
    ? { kind: 'finalized', slot: status.slot }
    : { kind: 'failed', reason: describeTransactionError(status.err) };
}

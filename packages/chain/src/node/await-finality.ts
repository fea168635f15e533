import {
  type Address,
  decodeTransactionFromRpcResponse,
  type GetBlockHeightApi,
  type GetEpochInfoApi,
  type GetSignatureStatusesApi,
  type GetSignaturesForAddressApi,
  type GetTransactionApi,
  type Rpc,
  type Signature,
  type TransactionError,
} from '@solana/kit';
import { describeTransactionError } from './error-texts.ts';
import { listTransactions } from './lobby-history.ts';
import { MAX_TRANSACTION_VERSION, readTransaction } from './read-transaction.ts';

export type TransactionFate =
  | { readonly kind: 'finalized'; readonly slot: bigint }
  /** It landed and failed: the fee was charged, nothing else happened. */
  | { readonly kind: 'failed'; readonly reason: string }
  /**
   * It did not land and never will, as far as the node remembers. From `asOfSlot` on, every state of the chain is
   * one that the transaction can no longer change.
   */
  | { readonly kind: 'expired'; readonly asOfSlot: bigint };

type FateRpc = Rpc<
  GetBlockHeightApi &
    GetEpochInfoApi &
    GetSignatureStatusesApi &
    GetSignaturesForAddressApi &
    GetTransactionApi
>;

type SentTransaction = {
  readonly rpc: FateRpc;
  /** Undefined if it is not known whether it was signed; then only the history can show it. */
  readonly signature: Signature | undefined;
  readonly lastValidBlockHeight: bigint;
  /** Where else to look before the transaction counts as expired. */
  readonly history?: {
    /** An account that it names. */
    readonly account: Address;
    /** Anyone can copy a memo, so it counts only in a transaction of this fee payer. */
    readonly memo: string;
    readonly feePayer: Address;
    /** A slot before it was signed. */
    readonly sinceSlot: bigint;
    /** Of a transaction that was final before that. A node that does not know it has lost its history. */
    readonly landmark?: Signature | undefined;
  };
};

/**
 * How far a node must be past the last valid height before its "unknown" counts, about two minutes. One address may
 * stand for several nodes, some of which lag behind; healthy ones by less than 150 blocks.
 */
const NODE_LAG_BLOCKS = 300n;

/**
 * Waits until the outcome of a sent transaction is final. Retries when the node fails to answer; abort `signal` to give
 * up.
 */
export async function awaitFinality(
  request: SentTransaction & { readonly pollMs?: number; readonly signal?: AbortSignal },
): Promise<TransactionFate> {
  const { pollMs = 500, signal } = request;
  for (;;) {
    signal?.throwIfAborted();
    const fate = await lookUpFate(request).catch(() => undefined);
    if (fate) return fate;
    await new Promise((done) => setTimeout(done, pollMs));
  }
}

/** Undefined while undecided. */
export async function lookUpFate(request: SentTransaction): Promise<TransactionFate | undefined> {
  const { rpc, signature, lastValidBlockHeight } = request;
  // The height comes first: a status that is missing after the last valid height stays missing, unless the node lags
  // behind.
  const height = await rpc.getBlockHeight({ commitment: 'finalized' }).send();
  const { value } = signature
    ? await rpc.getSignatureStatuses([signature], { searchTransactionHistory: true }).send()
    : { value: [] };
  const status = value[0];
  if (status) return status.confirmationStatus === 'finalized' ? fateOf(status.slot, status.err) : undefined;
  if (height <= lastValidBlockHeight + NODE_LAG_BLOCKS) return undefined;
  return lookUpExpired(request);
}

/**
 * The requests may be answered by different nodes behind one address, so each answer has to show that its node is past
 * the last valid height.
 */
async function lookUpExpired(request: SentTransaction): Promise<TransactionFate | undefined> {
  const { rpc, signature, lastValidBlockHeight } = request;
  // One answer names both: the height of a slot cannot be asked for otherwise.
  const { absoluteSlot, blockHeight } = await rpc.getEpochInfo({ commitment: 'finalized' }).send();
  const blocksPast = blockHeight - lastValidBlockHeight;
  if (blocksPast <= NODE_LAG_BLOCKS) return undefined;
  // A slot has at most one block, so this slot is past the last valid height as well.
  const asOfSlot = absoluteSlot - (blocksPast - 1n);
  if (signature) {
    const { context, value } = await rpc
      .getSignatureStatuses([signature], { searchTransactionHistory: true })
      .send();
    if (value[0] || context.slot < asOfSlot) return undefined;
    const landed = await lookUpTransaction(rpc, signature);
    if (landed !== 'unknown') return landed;
  }
  const found = await searchHistory(request, asOfSlot);
  if (!found) await expectMemory(request);
  return found ?? { kind: 'expired', asOfSlot };
}

/** A node that was restored from a snapshot, or has pruned that time, cannot say that something never happened. */
async function expectMemory({ rpc, history }: SentTransaction): Promise<void> {
  if (!history?.landmark) return;
  if ((await lookUpTransaction(rpc, history.landmark)) !== 'unknown') return;
  throw new Error(`The node has lost its history: it does not know ${history.landmark} any more`);
}

async function searchHistory(
  { rpc, signature, history }: SentTransaction,
  asOfSlot: bigint,
): Promise<TransactionFate | undefined> {
  if (!history) return undefined;
  const { account, memo, feePayer, sinceSlot } = history;
  const listed = await listTransactions({ rpc, account, sinceSlot, minContextSlot: asOfSlot });
  for (const other of listed) {
    const isIt =
      other.signature === signature ||
      (other.memo?.includes(memo) && (await readFeePayer(rpc, other.signature)) === feePayer);
    if (!isIt) continue;
    if (other.isFailed) return { kind: 'failed', reason: 'The account lists it as failed' };
    return { kind: 'finalized', slot: other.slot };
  }
  return undefined;
}

async function readFeePayer(rpc: FateRpc, signature: Signature): Promise<Address | undefined> {
  const reading = await readTransaction([rpc], signature);
  if (reading.kind === 'unreadable') throw new Error(`${signature} cannot be read: ${reading.reason}`);
  return decodeTransactionFromRpcResponse(reading.transaction).compiledMessage.staticAccounts[0];
}

/** Nodes store statuses and transactions separately: one that lost the status may still have the transaction. */
async function lookUpTransaction(
  rpc: FateRpc,
  signature: Signature,
): Promise<TransactionFate | undefined | 'unknown'> {
  const transaction = await rpc
    .getTransaction(signature, {
      commitment: 'finalized',
      encoding: 'base64',
      maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
    })
    .send();
  if (!transaction) return 'unknown';
  return transaction.meta ? fateOf(transaction.slot, transaction.meta.err) : undefined;
}

function fateOf(slot: bigint, error: TransactionError | null): TransactionFate {
  return error === null
    ? { kind: 'finalized', slot }
    : { kind: 'failed', reason: describeTransactionError(error) };
}

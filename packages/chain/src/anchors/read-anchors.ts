import {
  type Address,
  address,
  decodeTransactionFromRpcResponse,
  type GetSignaturesForAddressApi,
  type GetTransactionApi,
  type Rpc,
  type Signature,
  walkInstructions,
} from '@solana/kit';
import { type ListedTransaction, listTransactions } from '../node/lobby-history.ts';
import { memoText } from '../node/memo-text.ts';
import { readTransaction } from '../node/read-transaction.ts';
import { MEMO_PROGRAM } from '../payouts/claim-message.ts';
import { type AnchorMemo, type CommitMemo, readAnchorMemo } from './anchor-memo.ts';

/** A transaction of a memo, as the chain shows it. */
export type ReadAnchor = {
  readonly slot: bigint;
  /** Who signed it and paid for it. */
  readonly signer: Address;
  /** All that it names. */
  readonly accounts: readonly Address[];
  /** Undefined if it is none of ours or one of several, or the transaction failed. */
  readonly memo: AnchorMemo | undefined;
};

/** Undefined if the node cannot show it. */
export async function readAnchor(
  rpc: Rpc<GetTransactionApi>,
  signature: Signature,
): Promise<ReadAnchor | undefined> {
  const reading = await readTransaction([rpc], signature);
  if (reading.kind !== 'read') return undefined;
  const { transaction } = reading;
  const { compiledMessage, loadedAddresses } = decodeTransactionFromRpcResponse(transaction);
  const steps = walkInstructions({ compiledMessage, loadedAddresses, meta: transaction.meta });
  return {
    slot: transaction.slot,
    signer: compiledMessage.staticAccounts[0]!,
    accounts: compiledMessage.staticAccounts,
    memo: transaction.meta.err ? undefined : soleMemo(steps),
  };
}

/**
 * Only what a list of the key's transactions shows as it is: nodes leave out memos of called programs and join several into one
 * text. Otherwise a commitment could count and yet be seen by nobody who looks for others in its place.
 */
function soleMemo(steps: ReturnType<typeof walkInstructions>): AnchorMemo | undefined {
  const listed = steps.filter(
    ({ programAddress, trace }) => LISTED_PROGRAMS.includes(programAddress) && trace.kind !== 'inner',
  );
  const [memo] = listed;
  if (!memo?.data || listed.length > 1 || memo.programAddress !== MEMO_PROGRAM) return undefined;
  return readAnchorMemo(memoText(memo.data));
}

/** Of these, nodes list the text. */
const LISTED_PROGRAMS: readonly Address[] = [
  MEMO_PROGRAM,
  address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'),
];

export type ListedAnchor = {
  readonly signature: string;
  readonly slot: bigint;
  readonly memo: AnchorMemo;
};

/** How much older history is looked at for the same commitment or a rival, and how much newer one is passed through at most. */
const OLDER_PAGES = 20;
const MOST_PAGES = 500;

/**
 * The memos of a key, of every lobby, oldest first: from the newest back to the match that was published before this one,
 * and 20,000 transactions further. Throws if that is not reached.
 */
export async function listAnchors(
  rpc: Rpc<GetSignaturesForAddressApi>,
  key: Address,
  { commitment, previous }: Pick<CommitMemo, 'commitment' | 'previous'>,
  pageSize?: number,
): Promise<ListedAnchor[]> {
  const wanted = new Set([commitment, previous]);
  let pages = 0;
  let olderPages = 0;
  const isEnough = (page: readonly ListedTransaction[]): boolean => {
    if (++pages > MOST_PAGES) throw new Error(`${key} has published too much since`);
    for (const { memo } of page.flatMap(anchorOf)) if (memo.kind === 'commit') wanted.delete(memo.commitment);
    // The first match of a lobby has none before it.
    if (!wanted.has(commitment)) olderPages++;
    return olderPages > OLDER_PAGES && (wanted.size === 0 || olderPages > 2 * OLDER_PAGES);
  };
  const listed = await listTransactions({
    rpc,
    account: key,
    sinceSlot: 0n,
    isEnough,
    ...(pageSize !== undefined && { pageSize }),
  });
  return listed.flatMap(anchorOf);
}

/**
 * Anybody can name a key in a transaction and write what they like beside it. Of the memos that decide about a match, only those
 * that the key has signed are kept, as their transactions show them.
 */
export async function keepOwnAnchors(
  rpc: Rpc<GetTransactionApi>,
  key: Address,
  { commitment, previous }: Pick<CommitMemo, 'commitment' | 'previous'>,
  listed: readonly ListedAnchor[],
): Promise<ListedAnchor[]> {
  const decides = ({ memo }: ListedAnchor) =>
    [commitment, previous].includes(memo.commitment) ||
    (memo.kind === 'commit' && memo.previous === previous);
  const kept = listed.map(async (one) => {
    if (!decides(one)) return [one];
    const read = await readAnchor(rpc, one.signature as Signature);
    // Left out, it would be as good as never published.
    if (!read) throw new Error(`${one.signature} cannot be read`);
    return read.memo && read.signer === key ? [{ ...one, slot: read.slot, memo: read.memo }] : [];
  });
  return (await Promise.all(kept)).flat();
}

function anchorOf({ signature, slot, isFailed, memo }: ListedTransaction): ListedAnchor[] {
  // Nodes print it after its length: `[36] text`.
  const read = isFailed || memo === null ? undefined : readAnchorMemo(memo.replace(/^\[\d+\] /, ''));
  return read ? [{ signature, slot, memo: read }] : [];
}

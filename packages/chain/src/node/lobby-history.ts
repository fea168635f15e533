import type { Address, GetSignaturesForAddressApi, Rpc, Signature } from '@solana/kit';

/** A finalized transaction that touched an account, as listed. */
export type ListedTransaction = {
  readonly signature: Signature;
  readonly slot: bigint;
  readonly isFailed: boolean;
  /** As nodes print it: `[36] text`. */
  readonly memo: string | null;
};

const PAGE_SIZE = 1000;

/** The finalized transactions of an account from `sinceSlot` on, oldest first. */
export async function listTransactions(request: {
  readonly rpc: Rpc<GetSignaturesForAddressApi>;
  readonly account: Address;
  readonly sinceSlot: bigint;
  /** Refuses the answer of a node that is behind this slot. */
  readonly minContextSlot?: bigint;
  readonly pageSize?: number;
  /** Asked after each page, with the transactions of that page: whether the older ones are not wanted. */
  readonly isEnough?: (page: readonly ListedTransaction[]) => boolean;
}): Promise<ListedTransaction[]> {
  const { rpc, account, sinceSlot, minContextSlot, pageSize = PAGE_SIZE, isEnough } = request;
  const listed = new Map<Signature, ListedTransaction>();
  let before: Signature | undefined;
  for (;;) {
    // Nodes list newest first and page backwards.
    const page = await rpc
      .getSignaturesForAddress(account, {
        commitment: 'finalized',
        limit: pageSize,
        ...(minContextSlot !== undefined && { minContextSlot }),
        ...(before && { before }),
      })
      .send();
    const listedBefore = listed.size;
    const found = page
      .map(({ signature, slot, err, memo }) => ({ signature, slot, isFailed: err !== null, memo }))
      .filter(({ slot }) => slot >= sinceSlot);
    for (const one of found) listed.set(one.signature, one);
    const last = page.at(-1);
    // A short page need not be the last: some nodes return fewer than requested. A page with nothing new is, or a node
    // that pages in circles would never let the listing end.
    if (!last || last.slot < sinceSlot || listed.size === listedBefore) break;
    if (isEnough?.(found)) break;
    before = last.signature;
  }
  return [...listed.values()].reverse();
}

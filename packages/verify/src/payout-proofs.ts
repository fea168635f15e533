import { expand } from '@engulf/chain/anchors/anchor-memo';

/** What a payout says about a match that it pays for. */
export type PayoutProof = {
  readonly commitment: string;
  /** Of the recording as far as it was stored when the payout was made; the final one after the end. */
  readonly hash: string | undefined;
};

/**
 * The matches that the memo of a claim names: `commitment` or `commitment:hash` for each, after the id of the batch, unless
 * the claim was made in order.
 */
export function readProofs(memo: string): PayoutProof[] {
  return memo.split(' ').flatMap((word) => {
    const hashes = word.split(':').map(expand);
    const [commitment, hash] = hashes;
    return commitment && hashes.length <= 2 && !hashes.includes(undefined) ? [{ commitment, hash }] : [];
  });
}

const REFUND = 'refund:';

/** Of each payment that the claim returns, how the signature of its transaction begins. */
export function readReturned(memo: string): string[] {
  const word = memo.split(' ').find((one) => one.startsWith(REFUND));
  return word?.slice(REFUND.length).split(',') ?? [];
}

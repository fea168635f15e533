/** What a payout says about a match that it pays for. */
export type PayoutProof = {
  readonly commitment: string;
  /** Of the recording as far as it was stored when the payout was made; the final one after the end. */
  readonly hash: string | undefined;
};

/** The memo: the id of the batch, unless the claim was made in order, then `commitment` or `commitment:hash` for each match. */
export function readProofs(memo: string): PayoutProof[] {
  return memo.split(' ').map((proof) => {
    const [commitment, hash] = proof.split(':').map(toHex);
    return { commitment: commitment!, hash };
  });
}

function toHex(base64url: string): string {
  try {
    const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
    return Array.from(text, (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
  } catch {
    return '';
  }
}

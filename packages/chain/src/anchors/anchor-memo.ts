/*
 * What a match writes to the chain, apart from its payouts. Before its block is decided: its commitment, a hash of what it
 * will be played under, and the commitment before it in the same lobby. After its end: the hash of its recording and what
 * it leaves to the next match. Hashes are hexadecimal here and base64url on the chain.
 */

export type CommitMemo = {
  readonly kind: 'commit';
  readonly commitment: string;
  readonly terms: string;
  /** For the first of a lobby, a hash of the lobby. */
  readonly previous: string;
};

type CloseMemo = {
  readonly kind: 'close';
  readonly commitment: string;
  /** Undefined if nobody has played. */
  readonly finalHash: string | undefined;
  readonly spill: bigint;
};

export type AnchorMemo = CommitMemo | CloseMemo;

/** The block of a match is the first one so many slots after the slot of its commit. */
export const DECIDING_SLOTS = 32n;

const PREFIX = 'engulf1';
const NONE = '-';

export function writeAnchorMemo(memo: AnchorMemo): string {
  const words =
    memo.kind === 'commit'
      ? [compact(memo.commitment), compact(memo.terms), compact(memo.previous)]
      : [compact(memo.commitment), compact(memo.finalHash), memo.spill.toString()];
  return [PREFIX, memo.kind, ...words].join(' ');
}

/** Undefined for the memo of anything else. There is one way to write each: base64 has spare bits, and numbers leading zeros. */
export function readAnchorMemo(text: string): AnchorMemo | undefined {
  const memo = parse(text);
  return memo && writeAnchorMemo(memo) === text ? memo : undefined;
}

function parse(text: string): AnchorMemo | undefined {
  const [prefix, kind, first, second, third, ...rest] = text.split(' ');
  const commitment = first === undefined ? undefined : expand(first);
  if (prefix !== PREFIX || !commitment || second === undefined || third === undefined || rest.length > 0)
    return undefined;
  if (kind === 'commit') {
    const terms = expand(second);
    const previous = expand(third);
    return terms && previous ? { kind, commitment, terms, previous } : undefined;
  }
  const finalHash = second === NONE ? undefined : expand(second);
  if (kind !== 'close' || (second !== NONE && !finalHash) || !/^\d{1,20}$/.test(third)) return undefined;
  return { kind, commitment, finalHash, spill: BigInt(third) };
}

/** 43 characters instead of 64. */
export function compact(hex: string | undefined): string {
  if (hex === undefined) return NONE;
  const bytes = hex.match(/../g)!.map((pair) => String.fromCharCode(Number.parseInt(pair, 16)));
  return btoa(bytes.join('')).replaceAll('+', '-').replaceAll('/', '_').replace(/=+$/, '');
}

export function expand(base64url: string): string | undefined {
  if (!/^[\w-]{43}$/.test(base64url)) return undefined;
  const text = atob(base64url.replaceAll('-', '+').replaceAll('_', '/'));
  return Array.from(text, (char) => char.charCodeAt(0).toString(16).padStart(2, '0')).join('');
}

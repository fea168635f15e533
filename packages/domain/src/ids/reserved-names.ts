/** Display names that would let a player pass for the staff. */
export const RESERVED_NAMES = ['admin', 'mod', 'support'] as const;

const MASK = '****';

export type ProfanityFilter = {
  /** Replaces each listed word with four asterisks. */
  readonly mask: (text: string) => string;
  readonly matches: (text: string) => boolean;
};

/** Finds listed words as whole words, whatever their case: 'ass' is found in 'Ass!', not in 'class'. */
export function profanityFilter(words: Iterable<string>): ProfanityFilter {
  const listed = [...new Set([...words].map((word) => word.trim().toLowerCase()))].filter(
    (word) => word !== '',
  );
  if (listed.length === 0) return { mask: (text) => text, matches: () => false };
  // Longest first, or 'dumb' would win over 'dumb ass' and leave its rest standing.
  const alternatives = listed
    .toSorted((a, b) => b.length - a.length)
    .map(literalPattern)
    .join('|');
  const source = `(?<![\\p{L}\\p{M}\\p{N}_])(?:${alternatives})(?![\\p{L}\\p{M}\\p{N}_])`;
  const everywhere = new RegExp(source, 'giu');
  const anywhere = new RegExp(source, 'iu');
  return {
    mask: (text) => text.replace(everywhere, MASK),
    matches: (text) => anywhere.test(text),
  };
}

/** Also sees through separators and digits that stand for letters: 'Admin_1', 'm0d'. 'modest' is nobody's name. */
export function isReservedName(name: string): boolean {
  const words = name.toLowerCase().split(/[^a-z]+/);
  const lookalike = name.toLowerCase().replace(/[01345]/g, (digit) => LOOKALIKES[digit]!);
  return [...words, ...lookalike.split(/[^a-z]+/)].some((word) =>
    RESERVED_NAMES.some((reserved) => reserved === word),
  );
}

const LOOKALIKES: { readonly [digit: string]: string } = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's' };

function literalPattern(text: string): string {
  return text.replace(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

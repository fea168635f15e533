const MIN_BITS = 80;
/**
 * In random hexadecimal digits nearly one step in five is small, and in one secret of 80,000 half of them are. Two thirds
 * occur by chance in one secret of 10^9.
 */
const MAX_SEQUENTIAL_PART = 2 / 3;
/** Words long enough that a random secret does not contain one by chance. */
const PLACEHOLDERS = /change|secret|example|password|random|replace|ticket/i;

/** Why a secret is too easy to guess; undefined if it is not. */
export function weaknessOf(secret: string): string | undefined {
  if (PLACEHOLDERS.test(secret)) return 'is a placeholder, not a secret';
  if (/^(.+?)\1+$/s.test(secret)) return 'repeats itself';
  if (sequentialPart(secret) > MAX_SEQUENTIAL_PART) return 'is a sequence of characters';
  return entropyBits(secret) < MIN_BITS ? 'has too few different characters' : undefined;
}

/** The share of characters that continue the one before: `abc`, `321`, `aaa`. */
function sequentialPart(text: string): number {
  const codes = [...text].map((character) => character.codePointAt(0)!);
  const steps = codes.slice(1).map((code, index) => Math.abs(code - codes[index]!));
  return steps.filter((step) => step <= 1).length / steps.length;
}

/** By how often each character occurs. */
function entropyBits(text: string): number {
  const counts = new Map<string, number>();
  for (const character of text) counts.set(character, (counts.get(character) ?? 0) + 1);
  return [...counts.values()].reduce((bits, count) => bits - count * Math.log2(count / text.length), 0);
}

import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';
import type { Brand } from './entity-ids.ts';

export type Username = Brand<string, 'Username'>;

export const USERNAME_LIMITS = { minLength: 3, maxLength: 10 } as const;

type UsernameFailure = Failure<'USERNAME_REQUIRED' | 'USERNAME_MALFORMED' | 'USERNAME_INAPPROPRIATE'>;

const WELL_FORMED = new RegExp(`^[A-Za-z0-9_-]{${USERNAME_LIMITS.minLength},${USERNAME_LIMITS.maxLength}}$`);

/** `isProfane` is called with the name as typed and with what it reads as without separators and digits. */
export function validateUsername(
  text: string,
  isProfane: (text: string) => boolean,
): Result<Username, UsernameFailure> {
  const name = text.trim();
  if (name === '') return refuse('USERNAME_REQUIRED');
  if (!WELL_FORMED.test(name)) return refuse('USERNAME_MALFORMED');
  const isBad = isReservedName(name) || readings(name).some((reading) => isProfane(reading));
  return isBad ? refuse('USERNAME_INAPPROPRIATE') : ok(name as Username);
}

/** Names that would let a player pass for staff, as words of their own: 'x_mod', but not 'modest'. */
const RESERVED_WORDS = 'mod mods dev devs gm owner root staff support system server team bot'.split(' ');
/** These anywhere in a name. */
const RESERVED_PARTS = ['admin', 'moderator', 'official', 'engulf', 'helpdesk'];
/** Ordinary words that contain a reserved part. */
const HARMLESS_WORDS = ['badminton'];

const LOOKALIKES: { readonly [digit: string]: string } = {
  0: 'o',
  1: 'i',
  3: 'e',
  4: 'a',
  5: 's',
  6: 'g',
  7: 't',
  8: 'b',
  9: 'g',
};

/** The name in the ways that people may read it. */
function readings(name: string): string[] {
  const words = name.replace(/[-_\d]+/g, ' ');
  const joined = name.replace(/[-_]+/g, '');
  return [name, words, joined, joined.replace(/\d+/g, ''), spell(joined)];
}

/** With letters for the digits that look like them. */
function spell(name: string): string {
  return name.toLowerCase().replace(/\d/g, (digit) => LOOKALIKES[digit] ?? '');
}

/** Sees through separators, digits and letters that look alike: 'Admin_1', 'm0d', 'a-d-m-i-n', 'ENGUIF', 'rnod'. */
function isReservedName(name: string): boolean {
  const typed = name.toLowerCase();
  const joined = typed.replace(/[-_]+/g, '');
  if (HARMLESS_WORDS.includes(joined)) return false;
  const words = [typed, spell(typed)].flatMap((text) => text.split(/[^a-z]+/));
  const whole = [joined, joined.replace(/\d+/g, ''), spell(joined)];
  const isReservedWord = [...words, ...whole].some((word) => SHAPES.words.has(shapeOf(word)));
  return (
    isReservedWord || whole.some((text) => SHAPES.parts.some((part) => shapeOf(text, true).includes(part)))
  );
}

/** What is left of a word when letters that look alike are the same; optionally doubled letters count once. */
function shapeOf(word: string, isDoublingIgnored = false): string {
  const shape = word.replace(/l/g, 'i').replace(/rn/g, 'm').replace(/vv/g, 'w');
  return isDoublingIgnored ? shape.replace(/(.)\1+/g, '$1') : shape;
}

const SHAPES = {
  words: new Set(RESERVED_WORDS.map((word) => shapeOf(word))),
  parts: RESERVED_PARTS.map((part) => shapeOf(part, true)),
};

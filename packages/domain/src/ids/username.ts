import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';
import type { Brand } from './entity-ids.ts';

export type Username = Brand<string, 'Username'>;

export const USERNAME_LIMITS = { minLength: 3, maxLength: 10 } as const;

type UsernameFailure = Failure<'USERNAME_REQUIRED' | 'USERNAME_MALFORMED' | 'USERNAME_INAPPROPRIATE'>;

const WELL_FORMED = new RegExp(`^[A-Za-z0-9_-]{${USERNAME_LIMITS.minLength},${USERNAME_LIMITS.maxLength}}$`);

/** Where in a text a profane word stands; the end is exclusive. */
export type Profanity = { readonly start: number; readonly end: number };

/** `findProfanity` is called with the name as typed and with what it reads as without separators and digits. */
export function validateUsername(
  text: string,
  findProfanity: (text: string) => readonly Profanity[],
): Result<Username, UsernameFailure> {
  const name = text.trim();
  if (name === '') return refuse('USERNAME_REQUIRED');
  if (!WELL_FORMED.test(name)) return refuse('USERNAME_MALFORMED');
  const doubtful = withoutHarmlessWords(name);
  const isBad = isReservedName(doubtful) || isProfaneName(doubtful, findProfanity);
  return isBad ? refuse('USERNAME_INAPPROPRIATE') : ok(name as Username);
}

/** Names that would let a player pass for staff, as words of their own: 'x_mod', but not 'modest'. */
const RESERVED_WORDS = 'mod mods dev devs gm owner root staff support system server team bot'.split(' ');
/** These anywhere in a name. */
const RESERVED_PARTS = ['admin', 'moderator', 'official', 'engulf', 'helpdesk'];
/** Ordinary words, places and surnames that contain something else, as words of their own. */
const HARMLESS_WORDS = new Set(
  (
    'assyria assyrian badminton booboo cockpit cumin cumming cummings cummins dickerson dickie dickinson dickson dicky ' +
    'fagan fagin finishit fuksia fuku fukuda fukui fukuoka fukushima fukuyama medick mishit penistone ' +
    'pissarro pushit pussycat rapeseed semenov sluter slutsky turdus vandyke wankel'
  ).split(' '),
);

function withoutHarmlessWords(name: string): string {
  return name.replace(/[a-z]+/gi, (word) => (HARMLESS_WORDS.has(word.toLowerCase()) ? '' : word));
}

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

/** Checks the name in every way that people may read it. */
function isProfaneName(name: string, findProfanity: (text: string) => readonly Profanity[]): boolean {
  const asTyped = [name, name.replace(/[-_\d]+/g, ' ')];
  if (asTyped.some((reading) => findProfanity(reading).length > 0)) return true;
  const joined = [name.split(/[-_]+/), name.split(/[-_\d]+/), spell(name).split(/[-_]+/)];
  return joined.some((words) =>
    findProfanity(words.join('')).some((found) => !isMadeByJoining(words, found)),
  );
}

/** Two ordinary words may form a bad one where they meet: 'chris_hit'. A disguised word is split differently. */
function isMadeByJoining(words: readonly string[], { start, end }: Profanity): boolean {
  let wordStart = 0;
  for (const [nth, word] of words.entries()) {
    const wordEnd = wordStart + word.length;
    if (start < wordEnd) {
      const next = words[nth + 1] ?? '';
      const spansBoth = end > wordEnd && end <= wordEnd + next.length;
      return spansBoth && start - wordStart >= 2 && [word, next].every((part) => /[aeiouy]/i.test(part));
    }
    wordStart = wordEnd;
  }
  return false;
}

/** With letters for the digits that look like them. */
function spell(name: string): string {
  return name.toLowerCase().replace(/\d/g, (digit) => LOOKALIKES[digit] ?? '');
}

/** Sees through separators, digits and letters that look alike: 'Admin_1', 'm0d', 'a-d-m-i-n', 'ENGUIF', 'rnod'. */
function isReservedName(name: string): boolean {
  const typed = name.toLowerCase();
  const joined = typed.replace(/[-_]+/g, '');
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

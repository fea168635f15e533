import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';
import type { Brand } from './entity-ids.ts';

export type Username = Brand<string, 'Username'>;

export const USERNAME_LIMITS = { minLength: 3, maxLength: 10 } as const;

type UsernameFailure = Failure<'USERNAME_REQUIRED' | 'USERNAME_MALFORMED' | 'USERNAME_INAPPROPRIATE'>;

const WELL_FORMED = new RegExp(`^[A-Za-z0-9_-]{${USERNAME_LIMITS.minLength},${USERNAME_LIMITS.maxLength}}$`);

/** `isProfane` is called with the name as typed and with its words, separators and digits removed. */
export function validateUsername(
  text: string,
  isProfane: (text: string) => boolean,
): Result<Username, UsernameFailure> {
  const name = text.trim();
  if (name === '') return refuse('USERNAME_REQUIRED');
  if (!WELL_FORMED.test(name)) return refuse('USERNAME_MALFORMED');
  const words = name.replace(/[-_\d]+/g, ' ');
  if (isReservedName(name) || isProfane(name) || isProfane(words)) return refuse('USERNAME_INAPPROPRIATE');
  return ok(name as Username);
}

/** Names that would let a player pass for staff. */
const RESERVED_NAMES = ['admin', 'mod', 'support'];
const LOOKALIKES: { readonly [digit: string]: string } = { 0: 'o', 1: 'i', 3: 'e', 4: 'a', 5: 's' };

/** Also sees through separators and digits that look like letters: 'Admin_1', 'm0d', but not 'modest'. */
function isReservedName(name: string): boolean {
  const typed = name.toLowerCase();
  const lookalike = typed.replace(/[01345]/g, (digit) => LOOKALIKES[digit]!);
  const words = `${typed} ${lookalike}`.split(/[^a-z]+/);
  return words.some((word) => RESERVED_NAMES.includes(word));
}

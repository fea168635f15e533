import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';
import type { Brand } from './brand.ts';
import { isReservedName } from './reserved-names.ts';

export type Username = Brand<string, 'Username'>;

export const USERNAME_LIMITS = { minLength: 3, maxLength: 10, autoSaveAfterMs: 2_000 } as const;

type UsernameFailure = Failure<'USERNAME_REQUIRED' | 'USERNAME_MALFORMED' | 'USERNAME_INAPPROPRIATE'>;

const WELL_FORMED = new RegExp(`^[A-Za-z0-9_-]{${USERNAME_LIMITS.minLength},${USERNAME_LIMITS.maxLength}}$`);

/** `isProfane` is asked about the name as typed and about the words that its separators and digits leave. */
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

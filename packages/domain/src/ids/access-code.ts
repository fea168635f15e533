import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';

export const ACCESS_CODE_LENGTH = { min: 3, max: 6 } as const;

type AccessCodeFailure = Failure<
  'ACCESS_CODE_REQUIRED' | 'ACCESS_CODE_TOO_SHORT' | 'ACCESS_CODE_TOO_LONG' | 'ACCESS_CODE_INVALID'
>;

/** Checks the form of a code, not whether it exists. */
export function validateAccessCode(text: string): Result<string, AccessCodeFailure> {
  const code = text.trim();
  if (code === '') return refuse('ACCESS_CODE_REQUIRED');
  if (code.length < ACCESS_CODE_LENGTH.min) return refuse('ACCESS_CODE_TOO_SHORT');
  if (code.length > ACCESS_CODE_LENGTH.max) return refuse('ACCESS_CODE_TOO_LONG');
  // The database throws on it.
  if (code.includes('\0')) return refuse('ACCESS_CODE_INVALID');
  return ok(code);
}

/** Who may play while the beta is gated. */
export function isEligible(user: {
  readonly referralCodeVerified: boolean;
  readonly isRaffleWinner: boolean;
}): boolean {
  return user.referralCodeVerified || user.isRaffleWinner;
}

import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { type Username, validateUsername } from '@engulf/domain/ids/username';
import { eq } from 'drizzle-orm';
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';
import type { Context } from '../platform/context.ts';
import { users } from '../platform/database/people.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../platform/database/sql-state.ts';
import type { UserRow } from './user-rows.ts';

const profanity = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });

export async function rename(
  { db }: Context,
  user: UserRow,
  text: string,
): Promise<
  Result<
    Username,
    Failure<'USERNAME_REQUIRED' | 'USERNAME_MALFORMED' | 'USERNAME_INAPPROPRIATE' | 'USERNAME_TAKEN'>
  >
> {
  const name = validateUsername(text, (words) => profanity.hasMatch(words));
  if (!name.ok) return name;
  try {
    await db.update(users).set({ name: name.value }).where(eq(users.id, user.id));
    return ok(name.value);
  } catch (error) {
    if (hasSqlState(error, UNIQUE_VIOLATION)) return refuse('USERNAME_TAKEN');
    throw error;
  }
}

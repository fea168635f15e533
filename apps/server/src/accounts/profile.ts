import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { type Username, validateUsername } from '@engulf/domain/ids/username';
import { formatCut } from '@engulf/domain/money/amount';
import type { User } from '@engulf/protocol/user';
import { and, eq, isNull } from 'drizzle-orm';
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';
import type { Context } from '../platform/context.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { xAccounts } from '../platform/database/social.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../platform/database/sql-state.ts';
import { readRank } from '../stats/leaderboard.ts';

export async function describeUser(context: Context, user: UserRow): Promise<User> {
  return {
    id: user.id,
    name: user.name,
    avatarUrl: user.avatarUrl,
    walletAddress: user.walletAddress,
    rank: await readRank(context, user.id),
    multiplier: Number(formatCut(BigInt(user.multiplierHundredths), 2, 2)),
    isTwitterConnected: await hasXAccount(context, user),
    referralCodeVerified: user.referralCode !== null,
    isRaffleWinner: user.isRaffleWinner,
    showGuide: user.guidedAt === null,
  };
}

async function hasXAccount({ db }: Context, user: UserRow): Promise<boolean> {
  const accounts = await db.select().from(xAccounts).where(eq(xAccounts.userId, user.id));
  return accounts.length > 0;
}

/** Notes that the user has seen the guide. */
export async function markGuided({ db, nowMs }: Context, user: UserRow): Promise<void> {
  const isNew = and(eq(users.id, user.id), isNull(users.guidedAt));
  await db
    .update(users)
    .set({ guidedAt: new Date(nowMs()) })
    .where(isNew);
}

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

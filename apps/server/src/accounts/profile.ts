import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import type { UserId } from '@engulf/domain/ids/entity-ids';
import { type Username, validateUsername } from '@engulf/domain/ids/username';
import { formatCut } from '@engulf/domain/money/amount';
import type { User } from '@engulf/protocol/user';
import { and, eq, inArray, isNull } from 'drizzle-orm';
import { englishDataset, englishRecommendedTransformers, RegExpMatcher } from 'obscenity';
import type { Context } from '../platform/context.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { xAccounts } from '../platform/database/social.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../platform/database/sql-state.ts';
import { countGoalDays } from '../stats/daily-goals.ts';
import { readRanks } from '../stats/leaderboard.ts';
import { avatarAfterRename } from './avatars.ts';

/** The part of a profile that may change while the menu is open. */
export type Profile = Pick<User, 'name' | 'avatarUrl' | 'colour' | 'rank' | 'multiplier'>;

export async function describeUser(context: Pick<Context, 'db'>, user: UserRow): Promise<User> {
  const ranks = await readRanks(context, [user.id]);
  return {
    ...describeProfile(user, ranks),
    id: user.id,
    walletAddress: user.walletAddress,
    isTwitterConnected: await hasXAccount(context, user),
    referralCodeVerified: user.referralCode !== null,
    isRaffleWinner: user.isRaffleWinner,
    showGuide: user.guidedAt === null,
    isAdmin: user.role === 'admin',
    goalDays: await countGoalDays(context, user.id),
  };
}

export async function readProfiles(
  context: Pick<Context, 'db'>,
  userIds: readonly UserId[],
): Promise<ReadonlyMap<UserId, Profile>> {
  const rows = await context.db
    .select()
    .from(users)
    .where(inArray(users.id, [...userIds]));
  const ranks = await readRanks(context, userIds);
  return new Map(rows.map((user) => [user.id, describeProfile(user, ranks)]));
}

function describeProfile(user: UserRow, ranks: ReadonlyMap<UserId, number>): Profile {
  return {
    name: user.name,
    avatarUrl: user.avatarUrl,
    colour: user.colour,
    rank: ranks.get(user.id) ?? null,
    multiplier: Number(formatCut(BigInt(user.multiplierHundredths), 2, 2)),
  };
}

async function hasXAccount({ db }: Pick<Context, 'db'>, user: UserRow): Promise<boolean> {
  const accounts = await db.select().from(xAccounts).where(eq(xAccounts.userId, user.id));
  return accounts.length > 0;
}

/** From the next match on. Null: the one that follows from the id. */
export async function chooseColour(
  { db }: Pick<Context, 'db'>,
  user: UserRow,
  colour: number | null,
): Promise<void> {
  await db.update(users).set({ colour }).where(eq(users.id, user.id));
}

/** Notes that the user has seen the guide. */
export async function markGuided({ db, nowMs }: Pick<Context, 'db' | 'nowMs'>, user: UserRow): Promise<void> {
  const isNew = and(eq(users.id, user.id), isNull(users.guidedAt));
  await db
    .update(users)
    .set({ guidedAt: new Date(nowMs()) })
    .where(isNew);
}

const profanity = new RegExpMatcher({ ...englishDataset.build(), ...englishRecommendedTransformers });

/** The library gives the index of the last letter of a match, not the one after it. */
const findProfanity = (text: string) =>
  profanity.getAllMatches(text).map(({ startIndex, endIndex }) => ({ start: startIndex, end: endIndex + 1 }));

export async function rename(
  context: Pick<Context, 'db' | 'storage'>,
  user: UserRow,
  text: string,
): Promise<
  Result<
    Username,
    Failure<'USERNAME_REQUIRED' | 'USERNAME_MALFORMED' | 'USERNAME_INAPPROPRIATE' | 'USERNAME_TAKEN'>
  >
> {
  const name = validateUsername(text, findProfanity);
  if (!name.ok) return name;
  const avatarUrl = await avatarAfterRename(context, user, name.value);
  try {
    await context.db.update(users).set({ name: name.value, avatarUrl }).where(eq(users.id, user.id));
    return ok(name.value);
  } catch (error) {
    if (hasSqlState(error, UNIQUE_VIOLATION)) return refuse('USERNAME_TAKEN');
    throw error;
  }
}

import { createHash, randomBytes, randomUUID } from 'node:crypto';
import { signInSessionId, type UserId } from '@engulf/domain/ids/entity-ids';
import { and, eq, gt, isNull, lte, sql } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { signInSessions, type UserRow, users } from '../platform/database/people.ts';
import { prepareOnce } from '../platform/database/prepare-once.ts';

export const SESSION_COOKIE = 'engulf_session';
export const SESSION_TTL_MS = 7 * 24 * 60 * 60 * 1000;
const TOKEN_BYTES = 32;

/** Opens a session and returns the token for the cookie; only its hash is stored. */
export async function openSession(
  context: Pick<Context, 'nowMs'>,
  tx: Database,
  userId: UserId,
): Promise<string> {
  const token = randomBytes(TOKEN_BYTES).toString('base64url');
  const nowMs = context.nowMs();
  await tx.delete(signInSessions).where(lte(signInSessions.expiresAt, new Date(nowMs)));
  await tx.insert(signInSessions).values({
    tokenHash: hashToken(token),
    id: signInSessionId(randomUUID()),
    userId,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + SESSION_TTL_MS),
  });
  return token;
}

export async function findSessionUser(
  context: Pick<Context, 'db' | 'nowMs'>,
  token: string,
): Promise<UserRow | undefined> {
  const [user] = await findSessionUsers(context, [token]);
  return user;
}

/** In the order of the tokens; undefined for one without a session. */
export async function findSessionUsers(
  context: Pick<Context, 'db' | 'nowMs'>,
  tokens: readonly string[],
): Promise<readonly (UserRow | undefined)[]> {
  const tokenHashes = tokens.map(hashToken);
  const rows = await findUsers(context.db).execute({ tokenHashes, now: new Date(context.nowMs()) });
  const byHash = new Map(rows.map(({ tokenHash, user }) => [tokenHash, user]));
  return tokenHashes.map((hash) => byHash.get(hash));
}

const findUsers = prepareOnce((db) =>
  db
    .select({ tokenHash: signInSessions.tokenHash, user: users })
    .from(signInSessions)
    .innerJoin(users, eq(users.id, signInSessions.userId))
    .where(
      and(
        sql`${signInSessions.tokenHash} = any(${sql.placeholder('tokenHashes')})`,
        gt(signInSessions.expiresAt, sql.param(sql.placeholder('now'), signInSessions.expiresAt)),
        // A sign-in that began before the ban may have opened a session after it.
        isNull(users.bannedAt),
      ),
    ),
);

export async function closeSession({ db }: Pick<Context, 'db'>, token: string): Promise<void> {
  await db.delete(signInSessions).where(eq(signInSessions.tokenHash, hashToken(token)));
}

export async function closeSessionsOf(tx: Database, userId: UserId): Promise<number> {
  const closed = await tx.delete(signInSessions).where(eq(signInSessions.userId, userId)).returning();
  return closed.length;
}

/** Reads the token from a raw `Cookie` header, for sockets. It needs no decoding. */
export function readSessionToken(cookieHeader: string | undefined): string | undefined {
  const prefix = `${SESSION_COOKIE}=`;
  const cookie = cookieHeader?.split(/;\s*/).find((part) => part.startsWith(prefix));
  return cookie?.slice(prefix.length);
}

/** Identifies a session without storing its token. The token is long and random, so a fast hash is enough. */
export function hashToken(token: string): string {
  return createHash('sha256').update(token).digest('base64url');
}

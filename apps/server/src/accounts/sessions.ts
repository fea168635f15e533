import { randomUUID } from 'node:crypto';
import { signInSessionId, type UserId } from '@engulf/domain/ids/entity-ids';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { Database } from '../platform/database/open-database.ts';
import { signInSessions, users } from '../platform/database/people.ts';
import { hashSessionToken, newSessionToken } from './session-cookie.ts';
import type { UserRow } from './user-rows.ts';

export const SESSION_TTL_MS = 7 * 24 * 60 * 60 * 1000;

/** Opens a session and returns the token for the cookie; only its hash is kept. */
export async function openSession(context: Context, tx: Database, userId: UserId): Promise<string> {
  const token = newSessionToken();
  const nowMs = context.nowMs();
  await tx.delete(signInSessions).where(lte(signInSessions.expiresAt, new Date(nowMs)));
  await tx.insert(signInSessions).values({
    tokenHash: hashSessionToken(token),
    id: signInSessionId(randomUUID()),
    userId,
    createdAt: new Date(nowMs),
    expiresAt: new Date(nowMs + SESSION_TTL_MS),
  });
  return token;
}

export async function findSessionUser(context: Context, token: string): Promise<UserRow | undefined> {
  const [row] = await context.db
    .select({ user: users })
    .from(signInSessions)
    .innerJoin(users, eq(users.id, signInSessions.userId))
    .where(
      and(
        eq(signInSessions.tokenHash, hashSessionToken(token)),
        gt(signInSessions.expiresAt, new Date(context.nowMs())),
      ),
    );
  return row?.user;
}

export async function closeSession({ db }: Context, token: string): Promise<void> {
  await db.delete(signInSessions).where(eq(signInSessions.tokenHash, hashSessionToken(token)));
}

import { type Failure, refuse } from '@engulf/domain/errors/registry';
import { ok, type Result } from '@engulf/domain/errors/result';
import { and, eq, gt, lte } from 'drizzle-orm';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { xAccounts, xLogins } from '../platform/database/social.ts';
import { hasSqlState, UNIQUE_VIOLATION } from '../platform/database/sql-state.ts';
import { redeemCode, startAuthorization, type XApp } from './x-api.ts';

/** The user reads a page of X and presses a button in this time. */
const LOGIN_TTL_MS = 10 * 60 * 1000;

type Visitor = {
  readonly user: UserRow;
  /** The hash of the session's token: who steals the state cannot use it in another session. */
  readonly sessionKey: string;
};

/** The page of X to send the browser to; null if the user has an account of X already. */
export async function startXLogin(
  context: Pick<Context, 'db' | 'nowMs'>,
  app: XApp,
  { user, sessionKey }: Visitor,
  ourOrigin: string,
): Promise<string | null> {
  if (await findXAccount(context, user)) return null;
  const nowMs = context.nowMs();
  const redirectUri = `${ourOrigin}/`;
  const { url, state, codeVerifier } = startAuthorization(app, { ourOrigin, redirectUri });
  await context.db.delete(xLogins).where(lte(xLogins.expiresAt, new Date(nowMs)));
  await context.db.insert(xLogins).values({
    state,
    sessionKey,
    codeVerifier,
    redirectUri,
    expiresAt: new Date(nowMs + LOGIN_TTL_MS),
  });
  return url;
}

type LoginRefusal = Failure<'SOCIAL_CONNECTION_FAILED' | 'SOCIAL_RATE_LIMITED' | 'SOCIAL_ALREADY_CONNECTED'>;

/** Connects the account that granted the code. The state is consumed on first use, whatever comes of it. */
export async function finishXLogin(
  context: Pick<Context, 'db' | 'logger' | 'nowMs'>,
  app: XApp,
  { user, sessionKey }: Visitor,
  { code, state }: { readonly code: string; readonly state: string },
): Promise<Result<undefined, LoginRefusal>> {
  const [login] = await context.db
    .delete(xLogins)
    .where(
      and(
        eq(xLogins.state, state),
        eq(xLogins.sessionKey, sessionKey),
        gt(xLogins.expiresAt, new Date(context.nowMs())),
      ),
    )
    .returning();
  if (!login) return refuse('SOCIAL_CONNECTION_FAILED');
  const account = await redeemCode(app, { code, ...login });
  if (!account.ok) {
    if (account.error.kind === 'rate-limited') return refuse('SOCIAL_RATE_LIMITED');
    context.logger.warn({ code: 'X_LOGIN_FAILED', err: account.error.cause }, 'X did not confirm a sign-in');
    return refuse('SOCIAL_CONNECTION_FAILED');
  }
  try {
    await context.db.insert(xAccounts).values({
      userId: user.id,
      xId: account.value.id,
      handle: account.value.username,
      connectedAt: new Date(context.nowMs()),
    });
    return ok(undefined);
  } catch (error) {
    // Either this user has an account by now, or the account belongs to another user.
    if (hasSqlState(error, UNIQUE_VIOLATION)) return refuse('SOCIAL_ALREADY_CONNECTED');
    throw error;
  }
}

export async function findXAccount({ db }: Pick<Context, 'db'>, user: Pick<UserRow, 'id'>) {
  const [account] = await db.select().from(xAccounts).where(eq(xAccounts.userId, user.id));
  return account;
}

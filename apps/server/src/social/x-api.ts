import { err, ok, type Result } from '@engulf/domain/errors/result';
import {
  CodeChallengeMethod,
  generateCodeVerifier,
  generateState,
  OAuth2Client,
  UnexpectedResponseError,
} from 'arctic';
import { z } from 'zod';
import type { OutsideFailure } from './outside-failure.ts';

/** Where X is, and as whom we speak to it. */
export type XApp = {
  /** For the server. */
  readonly apiUrl: string;
  /** For browsers; it may depend on the name under which they reach us. */
  webUrl(ourOrigin: string): string;
  readonly clientId: string;
  readonly clientSecret: string | null;
  /** Reads public likes, reposts and follows. Without it such tasks are not offered. */
  readonly bearerToken: string | undefined;
};

export type XAccount = { readonly id: string; readonly username: string };

const SCOPES = ['tweet.read', 'users.read'];
const ANSWER_WITHIN_MS = 10_000;
const DEFAULT_RETRY_MS = 60_000;
const TOO_MANY_REQUESTS = 429;

export function startAuthorization(
  app: XApp,
  { ourOrigin, redirectUri }: { ourOrigin: string; redirectUri: string },
) {
  const [state, codeVerifier] = [generateState(), generateCodeVerifier()];
  const client = new OAuth2Client(app.clientId, app.clientSecret, redirectUri);
  const url = client.createAuthorizationURLWithPKCE(
    `${app.webUrl(ourOrigin)}/i/oauth2/authorize`,
    state,
    CodeChallengeMethod.S256,
    codeVerifier,
    SCOPES,
  );
  return { url: url.href, state, codeVerifier };
}

/** The account that granted the code. The token is used once and not kept. */
export async function redeemCode(
  app: XApp,
  { code, codeVerifier, redirectUri }: { code: string; codeVerifier: string; redirectUri: string },
): Promise<Result<XAccount, OutsideFailure>> {
  try {
    const client = new OAuth2Client(app.clientId, app.clientSecret, redirectUri);
    const exchange = client.validateAuthorizationCode(`${app.apiUrl}/2/oauth2/token`, code, codeVerifier);
    const tokens = await within(ANSWER_WITHIN_MS, exchange);
    const me = await readX(app, '/2/users/me', tokens.accessToken(), z.object({ data: accountSchema }));
    return me.ok ? ok(me.value.data) : me;
  } catch (cause) {
    const isBusy = cause instanceof UnexpectedResponseError && cause.status === TOO_MANY_REQUESTS;
    return err(isBusy ? { kind: 'rate-limited', retryAfterMs: DEFAULT_RETRY_MS } : { kind: 'failed', cause });
  }
}

const accountSchema = z.object({ id: z.string().min(1).max(64), username: z.string().min(1).max(64) });
const idsSchema = z.object({ data: z.array(z.object({ id: z.string() })).default([]) });

export async function hasLiked(
  app: XApp,
  xId: string,
  tweetId: string,
): Promise<Result<boolean, OutsideFailure>> {
  const likes = await readX(app, `/2/users/${xId}/liked_tweets?max_results=100`, app.bearerToken, idsSchema);
  return likes.ok ? ok(likes.value.data.some(({ id }) => id === tweetId)) : likes;
}

export async function hasReposted(
  app: XApp,
  xId: string,
  tweetId: string,
): Promise<Result<boolean, OutsideFailure>> {
  const reference = z.object({ type: z.string(), id: z.string() });
  const schema = z.object({
    data: z.array(z.object({ referenced_tweets: z.array(reference).default([]) })).default([]),
  });
  const path = `/2/users/${xId}/tweets?max_results=100&tweet.fields=referenced_tweets`;
  const posts = await readX(app, path, app.bearerToken, schema);
  if (!posts.ok) return posts;
  const isRepost = ({ type, id }: z.infer<typeof reference>) => type === 'retweeted' && id === tweetId;
  return ok(posts.value.data.some((post) => post.referenced_tweets.some(isRepost)));
}

/** Whether somebody follows an account, given by its name or by the author of a post. */
export async function isFollowing(
  app: XApp,
  xId: string,
  target: { readonly username: string } | { readonly tweetId: string },
): Promise<Result<boolean, OutsideFailure>> {
  const schema = z.object({ data: z.array(accountSchema).default([]) });
  const following = await readX(app, `/2/users/${xId}/following?max_results=1000`, app.bearerToken, schema);
  if (!following.ok) return following;
  if ('username' in target) {
    const wanted = target.username.toLowerCase();
    return ok(following.value.data.some(({ username }) => username.toLowerCase() === wanted));
  }
  const authorSchema = z.object({ data: z.object({ author_id: z.string() }) });
  const path = `/2/tweets/${target.tweetId}?tweet.fields=author_id`;
  const post = await readX(app, path, app.bearerToken, authorSchema);
  return post.ok ? ok(following.value.data.some(({ id }) => id === post.value.data.author_id)) : post;
}

async function readX<Schema extends z.ZodType>(
  { apiUrl }: XApp,
  path: string,
  token: string | undefined,
  schema: Schema,
): Promise<Result<z.infer<Schema>, OutsideFailure>> {
  try {
    const response = await fetch(apiUrl + path, {
      headers: { authorization: `Bearer ${token}` },
      signal: AbortSignal.timeout(ANSWER_WITHIN_MS),
    });
    if (response.status === TOO_MANY_REQUESTS) {
      return err({ kind: 'rate-limited', retryAfterMs: retryAfterMs(response.headers) });
    }
    if (!response.ok) return err({ kind: 'failed', cause: new Error(`X answered ${response.status}`) });
    return ok(schema.parse(await response.json()));
  } catch (cause) {
    return err({ kind: 'failed', cause });
  }
}

/** X names the second at which it answers again. */
function retryAfterMs(headers: Headers): number {
  const resetS = Number(headers.get('x-rate-limit-reset') ?? Number.NaN);
  const dateMs = Date.parse(headers.get('date') ?? '');
  const waitMs = resetS * 1000 - dateMs;
  return waitMs > 0 && waitMs < 24 * 60 * DEFAULT_RETRY_MS ? waitMs : DEFAULT_RETRY_MS;
}

async function within<Value>(ms: number, promise: Promise<Value>): Promise<Value> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<never>((_resolve, reject) => {
    timer = setTimeout(() => reject(new Error('X did not answer in time')), ms);
  });
  return Promise.race([promise, timeout]).finally(() => clearTimeout(timer));
}

import { randomUUID } from 'node:crypto';
import fastifyCookie from '@fastify/cookie';
import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { tasks, xLogins } from '../platform/database/social.ts';
import { registerLocalX } from './local-x/register-local-x.ts';
import { createSocial, isLocalXOffered } from './setup.ts';
import { completeTask, listTasks, openTask, queuedTasks, verifyTask } from './tasks.ts';
import { finishXLogin, startXLogin } from './x-sign-in.ts';

let database: OpenDatabase;
let context: Context;
let x: FastifyInstance;
let clockMs = Date.now();
let url = '';
/** What X answers instead, for calls to its API. */
let xStatus: number | undefined;
const social = createSocial({ isProduction: false, x: undefined, telegram: undefined }, () => url);
const app = social.x!;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, { nowMs: () => clockMs });
  x = fastify();
  await x.register(fastifyCookie);
  x.addHook('onRequest', async (request, reply) => {
    if (xStatus !== undefined && request.url.includes('/2/')) await reply.code(xStatus).send();
  });
  await registerLocalX(x, () => true);
  url = await x.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  await x.close();
  await database.close();
});

async function newVisitor() {
  const user = await newUser(database.db);
  return { user, sessionKey: `session ${user.id}` };
}

/** Presses a button on the consent page and returns what the browser brings back. */
async function consent(loginUrl: string, username: string, decision = 'allow') {
  const query = Object.fromEntries(new URL(loginUrl).searchParams);
  const response = await fetch(`${url}/dev/x/i/oauth2/authorize`, {
    method: 'POST',
    body: new URLSearchParams({ ...query, username, decision }),
    redirect: 'manual',
  });
  return new URL(response.headers.get('location')!).searchParams;
}

async function grant(visitor: Awaited<ReturnType<typeof newVisitor>>, username: string) {
  const loginUrl = (await startXLogin(context, app, visitor, url))!;
  const back = await consent(loginUrl, username);
  return { code: back.get('code')!, state: back.get('state')! };
}

const FAILED = { ok: false, error: { code: 'SOCIAL_CONNECTION_FAILED' } };
const press = (action: string, target: string, username: string) =>
  fetch(`${url}/dev/x/intent/${action}`, { method: 'POST', body: new URLSearchParams({ target, username }) });

describe('signing in at X', () => {
  test('connects the account that consented, and needs no second time', async () => {
    const visitor = await newVisitor();
    const answer = await grant(visitor, 'gulpzilla');
    expect(await finishXLogin(context, app, visitor, answer)).toEqual({ ok: true, value: undefined });
    expect(await startXLogin(context, app, visitor, url)).toBeNull();
  });

  test('asks with a challenge, and returns to the root', async () => {
    const { searchParams } = new URL((await startXLogin(context, app, await newVisitor(), url))!);
    expect(searchParams.get('code_challenge_method')).toBe('S256');
    expect(searchParams.get('code_challenge')).toMatch(/^[\w-]{43}$/);
    expect(searchParams.get('redirect_uri')).toBe(`${url}/`);
  });

  test('is void with another state, another session, another code, or a second time', async () => {
    const [visitor, thief] = [await newVisitor(), await newVisitor()];
    const answer = await grant(visitor, 'plasmid');
    expect(await finishXLogin(context, app, visitor, { ...answer, state: `${answer.state}x` })).toMatchObject(
      FAILED,
    );
    expect(await finishXLogin(context, app, { ...thief, sessionKey: 'other' }, answer)).toMatchObject(FAILED);
    expect(await finishXLogin(context, app, { ...visitor, sessionKey: 'other' }, answer)).toMatchObject(
      FAILED,
    );
    expect(await finishXLogin(context, app, visitor, { ...answer, code: 'made-up' })).toMatchObject(FAILED);
    // The state was spent on the code that was made up.
    expect(await finishXLogin(context, app, visitor, answer)).toMatchObject(FAILED);
  });

  test('is void when the verifier does not belong to the challenge', async () => {
    const visitor = await newVisitor();
    const answer = await grant(visitor, 'mito');
    await database.db.update(xLogins).set({ codeVerifier: 'v'.repeat(43) });
    expect(await finishXLogin(context, app, visitor, answer)).toMatchObject(FAILED);
  });

  test('is void after ten minutes', async () => {
    const visitor = await newVisitor();
    const answer = await grant(visitor, 'kira99');
    clockMs += 10 * 60_000 + 1;
    expect(await finishXLogin(context, app, visitor, answer)).toMatchObject(FAILED);
  });

  test('connects an account to one user, and one account to a user', async () => {
    const [first, second] = [await newVisitor(), await newVisitor()];
    const answers = [await grant(first, 'vanta'), await grant(second, 'Vanta'), await grant(first, 'vanta2')];
    expect(await finishXLogin(context, app, first, answers[0]!)).toMatchObject({ ok: true });
    for (const [visitor, answer] of [
      [second, answers[1]!],
      [first, answers[2]!],
    ] as const) {
      expect(await finishXLogin(context, app, visitor, answer)).toMatchObject({
        error: { code: 'SOCIAL_ALREADY_CONNECTED' },
      });
    }
  });

  test('tells apart that X is busy and that it fails', async () => {
    const visitor = await newVisitor();
    const [first, second] = [await grant(visitor, 'wobble'), await grant(visitor, 'wobble')];
    xStatus = 429;
    expect(await finishXLogin(context, app, visitor, first)).toMatchObject({
      error: { code: 'SOCIAL_RATE_LIMITED' },
    });
    xStatus = 500;
    expect(await finishXLogin(context, app, visitor, second)).toMatchObject(FAILED);
    xStatus = undefined;
  });

  test('that is cancelled comes back with an error and no code', async () => {
    const back = await consent((await startXLogin(context, app, await newVisitor(), url))!, '', 'deny');
    expect(back.get('error')).toBe('access_denied');
    expect(back.has('code')).toBe(false);
  });
});

describe('a task', () => {
  const post = '1000000000000000001';
  let visitor: Awaited<ReturnType<typeof newVisitor>>;
  let user: UserRow;
  const ids = { like: randomUUID(), retweet: randomUUID(), follow: randomUUID(), read: randomUUID() };

  beforeAll(async () => {
    await database.db.insert(tasks).values([
      { id: ids.like, action: 'like', name: 'Like', tweetId: post },
      { id: ids.retweet, action: 'retweet', name: 'Repost', tweetId: post },
      { id: ids.follow, action: 'follow', name: 'Follow', url: 'https://x.com/engulf' },
      { id: ids.read, action: 'read', name: 'Read the docs', url: 'https://engulf.example/docs' },
      { id: randomUUID(), action: 'join', name: 'Join', tgUrl: 'https://t.me/engulf' },
    ]);
    visitor = await newVisitor();
    user = visitor.user;
    await finishXLogin(context, app, visitor, await grant(visitor, 'tasker'));
  });

  /** What the worker does, over the time that checks take. */
  const verifyAll = async (rounds = 1) => {
    for (let round = 0; round < rounds; round++) {
      for (const key of await queuedTasks(context)) await verifyTask(context, social, key);
      clockMs += 4_000;
    }
  };
  const isCompleted = async (id: string) =>
    (await listTasks(context, social, user)).find(({ _id }) => _id === id)!.isCompleted;

  test.each([
    ['like', post],
    ['retweet', post],
    ['follow', 'engulf'],
  ] as const)(
    'to %s is verified once the button was pressed at X, and not before',
    async (action, target) => {
      const id = ids[action];
      expect(await completeTask(context, social, user, id)).toMatchObject({ ok: true });
      await verifyAll();
      expect(await isCompleted(id)).toBe(false);
      await press(action, target, 'tasker');
      await verifyAll();
      expect(await isCompleted(id)).toBe(true);
    },
  );

  test('that somebody else did does not count', async () => {
    const other = await newVisitor();
    await completeTask(context, social, other.user, ids.like);
    await verifyAll(8);
    const listed = await listTasks(context, social, other.user);
    expect(listed.find(({ _id }) => _id === ids.like)).toMatchObject({ isCompleted: false, isQueued: false });
  });

  test('to follow a link is verified by our own redirect', async () => {
    await completeTask(context, social, user, ids.read);
    await verifyAll(8);
    expect(await isCompleted(ids.read)).toBe(false);
    const opened = await openTask(context, social, { user, taskId: ids.read, ourOrigin: url });
    expect(opened).toEqual({ ok: true, value: 'https://engulf.example/docs' });
    // Refused by now; it may be reported again.
    await completeTask(context, social, user, ids.read);
    await verifyAll();
    expect(await isCompleted(ids.read)).toBe(true);
  });

  test('is not refused because X is busy', async () => {
    const other = await newVisitor();
    await finishXLogin(context, app, other, await grant(other, 'patient'));
    await press('like', post, 'patient');
    await completeTask(context, social, other.user, ids.like);
    xStatus = 429;
    await verifyAll(100);
    xStatus = undefined;
    clockMs += 60_000;
    await verifyAll();
    const listed = await listTasks(context, social, other.user);
    expect(listed.find(({ _id }) => _id === ids.like)).toMatchObject({ isCompleted: true });
  });

  test('that cannot be verified is not offered', async () => {
    const offered = await listTasks(context, social, undefined);
    expect(offered.map(({ taskAction }) => taskAction).toSorted()).toEqual([
      'follow',
      'like',
      'read',
      'retweet',
    ]);
    const withoutX = createSocial({ isProduction: true, x: undefined, telegram: undefined }, () => url);
    expect((await listTasks(context, withoutX, undefined)).map(({ taskAction }) => taskAction)).toEqual([
      'read',
    ]);
    expect(await completeTask(context, withoutX, user, ids.like)).toMatchObject({
      error: { code: 'TASK_NOT_FOUND' },
    });
    expect(await completeTask(context, social, user, 'no-uuid')).toMatchObject({
      error: { code: 'TASK_NOT_FOUND' },
    });
  });
});

test('the server plays X only in development, and only without an app at X', () => {
  const x = { clientId: 'id', clientSecret: null, bearerToken: undefined };
  expect(isLocalXOffered({ isProduction: false, x: undefined })).toBe(true);
  expect(isLocalXOffered({ isProduction: false, x })).toBe(false);
  expect(isLocalXOffered({ isProduction: true, x: undefined })).toBe(false);
});

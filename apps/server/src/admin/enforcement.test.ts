import { createPageClient, type PageClient } from '@engulf/trials/page-client';
import { eq } from 'drizzle-orm';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { notesAbout, REASON } from '../../testing/admin/operated-lobbies.ts';
import { createOperator, dumpDatabase, type Operator } from '../../testing/admin/operator.ts';
import { expireAll, pay, payoutsOf, redeem } from '../../testing/players.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { registerAuth } from '../http/routes/auth.ts';
import { registerServerBrowser } from '../http/routes/server-browser.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import { entries } from '../platform/database/games.ts';
import { users } from '../platform/database/people.ts';
import { createGuessLimits } from '../platform/fleet/guess-limits.ts';

let server: TestServer;
let operator: Operator;
let app: FastifyInstance;
let url: string;

beforeAll(async () => {
  server = await startTestServer();
  const { context } = server;
  operator = createOperator(context);
  const { site, ...created } = await createTestApp(context, { RATE_LIMIT_SCALE: '100' });
  app = created.app;
  const guesses = createGuessLimits(context.rateLimits);
  registerAuth(app, context, site, guesses);
  registerServerBrowser(app, context, guesses, { countryOf: () => undefined });
  url = await app.listen({ port: 0, host: '127.0.0.1' });
});
afterAll(async () => {
  await app.close();
  await server.dispose();
});

async function newPlayer(): Promise<PageClient> {
  const page = await createPageClient(url);
  await page.signIn();
  await operator.run('codes', 'create', '--code', 'PLAY1', '--uses', 'unlimited', ...REASON);
  await submit(page, 'PLAY1');
  return page;
}

const submit = (page: PageClient, code: string) => page.send('POST', '/api/referral/submit', { code });

async function join(page: PageClient, name: string) {
  const lobby = await server.lobby(name);
  await server.context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
  return page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: lobby.id });
}

describe('access codes', () => {
  test('are limited in uses and time, and can be revoked', async () => {
    const { output } = await operator.run('codes', 'create', '--count', '2', '--expires-in', '1h', ...REASON);
    const [first, second] = [...output.matchAll(/^✓ (\w{6})$/gm)].map(([, code]) => code!);
    const pages = [];
    for (let i = 0; i < 4; i++) {
      const page = await createPageClient(url);
      await page.signIn();
      pages.push(page);
    }
    expect(await submit(pages[0]!, first!)).toMatchObject({ status: 200 });
    const invalid = { status: 403, body: { error: 'ACCESS_CODE_INVALID' } };
    expect(await submit(pages[1]!, first!)).toMatchObject(invalid);
    server.advance(3_600_001);
    expect(await submit(pages[1]!, second!)).toMatchObject(invalid);
    await operator.run('codes', 'create', '--code', 'gone', '--uses', '5', ...REASON);
    expect(await submit(pages[2]!, 'GONE')).toMatchObject({ status: 200 });
    expect(await operator.run('codes', 'revoke', 'gone', ...REASON)).toMatchObject({ code: 0 });
    expect(await submit(pages[3]!, 'GONE')).toMatchObject(invalid);
    expect(await join(pages[2]!, 'Petri Dish')).toMatchObject({ status: 200 });
    const list = JSON.parse((await operator.run('codes', 'list', '--json')).output);
    expect(list).toContainEqual(expect.objectContaining({ code: 'GONE', uses: 1, isValid: false }));
    expect(await notesAbout(server, 'GONE')).toMatchObject([{ action: 'codes revoke' }]);
  });

  test.each([
    [['create', '--uses', '0'], '--uses must be a whole number'],
    [['create', '--expires-in', 'soon'], '--expires-in must be a time such as'],
    [['create', '--code', 'a!'], 'An access code has 3 to 6 letters and digits'],
    [['revoke', 'NOPE'], 'There is no access code NOPE.'],
  ])('codes %j is refused and changes nothing', async (words, message) => {
    const before = await dumpDatabase(server.context);
    const { code, errors } = await operator.run('codes', ...words, ...REASON);
    expect({ code, errors }).toMatchObject({
      code: expect.toBeOneOf([1, 2]),
      errors: expect.stringContaining(message),
    });
    expect(await dumpDatabase(server.context)).toBe(before);
  });
});

describe('a banned user', () => {
  test('is signed out, cannot sign in or enter, and can do so again when the ban is lifted', async () => {
    const page = await newPlayer();
    const { body } = await join(page, 'Petri Dish');
    const { cookie } = page;
    const before = await dumpDatabase(server.context);
    await operator.run('user', 'ban', page.wallet.address, '--dry-run');
    expect(await dumpDatabase(server.context)).toBe(before);
    expect(await operator.run('user', 'ban', page.wallet.address, ...REASON)).toMatchObject({ code: 0 });
    expect(await page.get('/api/auth/profile')).toMatchObject({ status: 401 });
    expect(await page.signIn()).toMatchObject({ status: 403, body: { error: 'USER_BANNED' } });
    page.cookie = cookie;
    expect(await join(page, 'Petri Dish')).toMatchObject({ status: 401 });
    const free = await server.lobby('Petri Dish');
    expect(await redeem(server.context, body.joinTicket, free)).toMatchObject({
      error: { code: 'USER_BANNED' },
    });
    expect((await operator.run('user', 'show', page.wallet.address)).output).toMatch(/banReason +a test/);
    await operator.run('user', 'unban', page.wallet.address, ...REASON);
    expect(await page.signIn()).toMatchObject({ status: 200 });
    expect(await redeem(server.context, body.joinTicket, free)).toMatchObject({ ok: true });
    const { id } = (await user(page))!;
    expect((await notesAbout(server, id)).map(({ action }) => action)).toEqual(['user ban', 'user unban']);
  });

  test('gets back what was paid for a seat that can no longer be taken', async () => {
    const page = await newPlayer();
    await server.chain.test!.fund(page.wallet.address, { lamports: 1_000_000_000n });
    await join(page, 'Shallows');
    const lobby = await server.lobby('Shallows');
    await pay(server.context, page.wallet, lobby);
    await operator.run('user', 'ban', page.wallet.address, ...REASON);
    await reconcileLobby(server.context, lobby.id);
    server.advance(10 * 60_000);
    await expireAll(server.context);
    expect(await payoutsOf(server.context, page.wallet)).toMatchObject([
      { isRefund: true, amount: 47_500_000n },
    ]);
  });

  test('roles are changed with a note', async () => {
    const page = await newPlayer();
    expect(await operator.run('user', 'role', page.wallet.address, 'king', ...REASON)).toMatchObject({
      code: 2,
    });
    expect(await operator.run('user', 'role', page.wallet.address, 'admin', ...REASON)).toMatchObject({
      code: 0,
    });
    expect(await user(page)).toMatchObject({ role: 'admin' });
    expect(await operator.run('user', 'role', 'nobody-x', 'admin', ...REASON)).toMatchObject({
      code: 1,
      errors: 'There is no user with the wallet, name or id "nobody-x".',
    });
  });

  async function user(page: PageClient) {
    const all = await server.context.db.select().from(users);
    return all.find(({ walletAddress }) => walletAddress === (page.wallet.address as string));
  }
});

describe('switches', () => {
  const set = (name: string, value: string) => operator.run('switch', 'set', name, value, ...REASON);
  const clear = (name: string) => operator.run('switch', 'clear', name, ...REASON);
  /** Within this time a running server follows. */
  const follow = () => server.advance(3_000);

  test('pause paid entries of a running server without a restart, and let them go on', async () => {
    const page = await newPlayer();
    const [asked, free] = [await newPlayer(), await newPlayer()];
    expect(await join(asked, 'Shallows')).toMatchObject({ status: 200, body: { status: 'created' } });
    expect(await set('paid-entries-paused', 'on')).toMatchObject({ code: 0 });
    follow();
    const paused = { status: 503, body: { error: 'ENTRIES_PAUSED' } };
    expect(await join(page, 'Shallows')).toMatchObject(paused);
    expect(await join(asked, 'Shallows')).toMatchObject(paused);
    expect(await join(free, 'Petri Dish')).toMatchObject({ status: 200 });
    expect(await clear('paid-entries-paused')).toMatchObject({ code: 0 });
    follow();
    expect(await join(page, 'Shallows')).toMatchObject({ status: 200, body: { status: 'created' } });
    expect(await notesAbout(server, 'paid-entries-paused')).toMatchObject([
      { action: 'switch set', details: { before: false, after: true } },
      { action: 'switch clear', details: { before: true, after: false } },
    ]);
    await server.context.db.delete(entries).where(eq(entries.state, 'created'));
  });

  test('take values of their own kind only', async () => {
    const before = await dumpDatabase(server.context);
    for (const [name, value] of [
      ['payouts-paused', 'maybe'],
      ['blocked-countries', 'germany'],
      ['nothing', 'on'],
    ]) {
      expect(await set(name!, value!)).toMatchObject({ code: 2 });
    }
    expect(await operator.run('switch', 'set', 'beta-closed', 'on', '--dry-run')).toMatchObject({
      output: 'This would change:\n  beta-closed: false → true',
    });
    expect(await dumpDatabase(server.context)).toBe(before);
    await set('blocked-countries', 'GB,US');
    await set('maintenance-banner', 'on');
    follow();
    expect(await server.context.switches.read()).toMatchObject({
      'blocked-countries': ['GB', 'US'],
      'maintenance-banner': true,
    });
    expect(JSON.parse((await operator.run('switch', 'list', '--json')).output)).toHaveLength(8);
  });
});

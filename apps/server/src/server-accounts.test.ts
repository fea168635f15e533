import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { createPageClient, type PageClient, signInBody } from '@engulf/trials/page-client';
import { listLobbies, newPlayer, nextEvent, openMenu } from '@engulf/trials/running-server';
import { createServerHome, type ServerHome } from '@engulf/trials/server-home';
import type { ServerProcess } from '@engulf/trials/server-process';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';

let home: ServerHome;
let server: ServerProcess;

beforeAll(async () => {
  home = await createServerHome();
  server = await home.start();
});
afterAll(() => home.dispose());

describe('a visitor', () => {
  test('sees lobbies of every kind and their updates every second', async () => {
    const lobbies = await listLobbies(server);
    expect(lobbies.map(({ name }) => name)).toHaveLength(7);
    expect(lobbies.filter(({ lobbyType }) => lobbyType === 'free')).toHaveLength(2);
    expect(lobbies.find(({ tokenMint }) => tokenMint !== null)).toMatchObject({ tokenSymbol: 'GULP' });
    expect(JSON.stringify(lobbies)).not.toContain('AMOEBA');
    const socket = openMenu(server);
    const update = await nextEvent<unknown>(socket, 'lobby_update');
    socket.disconnect();
    expect(MENU_SERVER_EVENTS.lobby_update.safeParse(update).success).toBe(true);
  });

  test('can see rankings and activity but no data of a user', async () => {
    const socket = openMenu(server);
    const ranking = nextEvent(socket, 'leaderboard:7d');
    socket.emit('get:leaderboard:7d');
    expect(await ranking).toEqual([]);
    socket.disconnect();
    const page = await createPageClient(server.url);
    expect(await page.get('/api/dashboard/list_activity')).toMatchObject({
      status: 200,
      body: { status: 'success', data: { data: [], currentPage: 1, lastPage: 1 } },
    });
    for (const path of ['/api/auth/profile', '/api/dashboard/games_history', '/api/dashboard/statistics']) {
      expect(await page.get(path)).toMatchObject({ status: 401, body: { error: 'UNAUTHENTICATED' } });
    }
    expect(await page.get('/api/nothing')).toMatchObject({ status: 404, body: { error: 'NOT_FOUND' } });
    expect(await page.send('POST', '/api/auth/sign-in', { address: 'x' })).toMatchObject({
      status: 400,
      body: { error: 'INVALID_REQUEST' },
    });
  });
});

test('the faucet of development says clearly that it cannot fund an address', async () => {
  const page = await createPageClient(server.url);
  // The system program, which holds no tokens, and the clock, which is read-only.
  for (const wallet of ['11111111111111111111111111111111', 'SysvarC1ock11111111111111111111111111111111']) {
    expect(await page.send('POST', '/api/dev/faucet', { wallet })).toMatchObject({
      status: 400,
      body: { error: 'FAUCET_REFUSED', message: expect.stringContaining('address of a wallet') },
    });
  }
  expect(await page.send('POST', '/api/dev/faucet', { wallet: 'nonsense' })).toMatchObject({ status: 400 });
});

describe('signing in', () => {
  test('opens a session in a cookie that scripts and other sites cannot read', async () => {
    const page = await createPageClient(server.url);
    const answer = await page.signIn();
    expect(answer).toMatchObject({
      status: 200,
      body: { user: { walletAddress: page.wallet.address, referralCodeVerified: false, rank: null } },
    });
    expect(answer.headers.getSetCookie()[0]).toMatch(/^engulf_session=.{43};.*HttpOnly.*SameSite=Lax/);
    expect((await page.get('/api/auth/profile')).body.user.walletAddress).toBe(page.wallet.address);
    const { cookie } = page;
    await page.send('POST', '/api/auth/sign-out');
    page.cookie = cookie;
    expect((await page.get('/api/auth/profile')).status).toBe(401);
  });

  test('ends in every browser at once, for its own user only', async () => {
    const page = await createPageClient(server.url);
    const other = await createPageClient(server.url);
    await Promise.all([page.signIn(), other.signIn()]);
    const { cookie: elsewhere } = page;
    await page.signIn();
    expect((await page.send('POST', '/api/auth/sign-out-everywhere')).status).toBe(200);
    page.cookie = elsewhere;
    expect((await page.get('/api/auth/profile')).status).toBe(401);
    expect((await page.send('POST', '/api/auth/sign-out-everywhere')).status).toBe(401);
    expect((await other.get('/api/auth/profile')).status).toBe(200);
  });

  test('accepts a nonce once, unaltered and signed by the wallet it names', async () => {
    const page = await createPageClient(server.url);
    const stranger = await createPageClient(server.url);
    const nonce = async () => (await page.get('/api/auth/nonce')).body;
    const refused = { status: 401, body: { error: 'SIGN_IN_REFUSED' } };
    const attempt = (body: object) => page.send('POST', '/api/auth/sign-in', body);

    const good = await signInBody(page.wallet, await nonce());
    expect(await attempt(good)).toMatchObject({ status: 200 });
    expect(await attempt(good)).toMatchObject(refused);
    expect(
      await attempt(await signInBody(page.wallet, { ...(await nonce()), domain: 'evil.example' })),
    ).toMatchObject(refused);
    const later = { expirationTime: new Date(Date.now() + 1e9).toISOString() };
    expect(await attempt(await signInBody(page.wallet, { ...(await nonce()), ...later }))).toMatchObject(
      refused,
    );
    expect(
      await attempt(await signInBody(page.wallet, { ...(await nonce()), nonce: 'made-up-by-me' })),
    ).toMatchObject(refused);
    const other = await signInBody(stranger.wallet, await nonce());
    expect(await attempt({ ...other, address: page.wallet.address })).toMatchObject(refused);
    const byOther = await signInBody(page.wallet, await nonce());
    expect(await attempt({ ...byOther, signature: other.signature })).toMatchObject(refused);
  });

  test('is refused to pages of other sites', async () => {
    const page = await createPageClient(server.url);
    const body = await signInBody(page.wallet, (await page.get('/api/auth/nonce')).body);
    expect(
      await page.send('POST', '/api/auth/sign-in', body, { origin: 'https://evil.example' }),
    ).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
  });
});

describe('a profile', () => {
  test('accepts a decent name that nobody else has', async () => {
    const [first, second] = [await newPlayer(server), await newPlayer(server)];
    const rename = (page: PageClient, name: string) => page.send('PUT', '/api/auth/profile/name', { name });
    expect(await rename(first, ' Gobbler ')).toMatchObject({ status: 200, body: { newValue: 'Gobbler' } });
    expect(await rename(second, 'gobbler')).toMatchObject({ status: 409, body: { error: 'USERNAME_TAKEN' } });
    expect(await rename(second, 'a')).toMatchObject({ status: 400, body: { error: 'USERNAME_MALFORMED' } });
    for (const name of ['Admin_1', 'fuck', 'sh1t-lord', 'f_u_c_k', 'Engulf']) {
      expect(await rename(second, name)).toMatchObject({ body: { error: 'USERNAME_INAPPROPRIATE' } });
    }
    for (const name of ['Dickson', 'Fukuda_7', 'Chris_Hit', 'cockpit', 'Assyria', 'Hancock']) {
      expect(await rename(second, name)).toMatchObject({ status: 200, body: { newValue: name } });
    }
  });

  test('keeps the face that players know, whatever its name is next', async () => {
    const page = await newPlayer(server);
    const avatar = async () => (await page.get('/api/auth/profile')).body.user.avatarUrl as string | null;
    expect(await avatar()).toBeNull();
    const names = ['Amoeba', 'Plankton', 'Diatom', 'Volvox'];
    const faces = new Set<string | null>();
    for (const name of names) {
      await page.send('PUT', '/api/auth/profile/name', { name });
      faces.add(await avatar());
    }
    faces.delete(null);
    const [face] = faces;
    expect(faces.size).toBe(1);
    const picture = await fetch(new URL(face!, server.url));
    expect([picture.status, picture.headers.get('content-type')]).toEqual([200, 'image/png']);
  });

  test('gets access with the printed code', async () => {
    const page = await createPageClient(server.url);
    await page.signIn();
    const submit = (code: string) => page.send('POST', '/api/referral/submit', { code });
    expect(await submit('ab')).toMatchObject({ status: 400, body: { error: 'ACCESS_CODE_TOO_SHORT' } });
    expect(await submit('nope')).toMatchObject({ status: 403, body: { error: 'ACCESS_CODE_INVALID' } });
    const free = (await listLobbies(server))[0]!;
    const join = { selectedLobbyId: free.id };
    expect(await page.send('POST', '/api/serverBrowser/join-lobby', join)).toMatchObject({
      status: 403,
      body: { error: 'USER_NOT_ELIGIBLE' },
    });
    expect(await submit(server.accessCode.toLowerCase())).toMatchObject({ status: 200 });
    expect(await submit(server.accessCode)).toMatchObject({
      status: 409,
      body: { error: 'ACCESS_ALREADY_GRANTED' },
    });
  });
});

describe('a refusal names its code and says why', () => {
  const UNKNOWN = '00000000-0000-4000-8000-000000000000';
  const NAME = '/api/auth/profile/name';
  const CODE = '/api/referral/submit';
  const JOIN = '/api/serverBrowser/join-lobby';
  let page: PageClient;

  beforeAll(async () => {
    page = await createPageClient(server.url);
    await page.signIn();
  });

  test.each([
    ['PUT', NAME, {}, 'USERNAME_REQUIRED', 'Username is required'],
    ['PUT', NAME, { name: ' ' }, 'USERNAME_REQUIRED', 'Username is required'],
    ['PUT', NAME, { name: 'ab' }, 'USERNAME_MALFORMED', expect.stringContaining('3–10 characters')],
    ['PUT', NAME, { name: 'abcdefghijk' }, 'USERNAME_MALFORMED', expect.anything()],
    ['PUT', NAME, { name: 'x'.repeat(500) }, 'USERNAME_MALFORMED', expect.anything()],
    ['PUT', NAME, { name: 'a b c' }, 'USERNAME_MALFORMED', expect.anything()],
    ['PUT', NAME, { name: 7 }, 'INVALID_REQUEST', expect.anything()],
    ['PUT', NAME, undefined, 'INVALID_REQUEST', expect.anything()],
    ['POST', CODE, {}, 'ACCESS_CODE_REQUIRED', 'Access code is required'],
    ['POST', CODE, { code: '' }, 'ACCESS_CODE_REQUIRED', 'Access code is required'],
    ['POST', CODE, { code: 'ab' }, 'ACCESS_CODE_TOO_SHORT', 'Access code must be at least 3 characters'],
    ['POST', CODE, { code: 'abcdefg' }, 'ACCESS_CODE_TOO_LONG', 'Access code must be at most 6 characters'],
    ['POST', CODE, { code: 'x'.repeat(500) }, 'ACCESS_CODE_TOO_LONG', expect.anything()],
    ['POST', CODE, { code: ['abc'] }, 'INVALID_REQUEST', expect.anything()],
    ['POST', JOIN, {}, 'INVALID_REQUEST', expect.anything()],
    ['POST', JOIN, { selectedLobbyId: 'x', transactionHash: 'y' }, 'INVALID_REQUEST', expect.anything()],
    ['POST', '/api/tasks/complete', {}, 'TASK_ID_MISSING', expect.anything()],
  ] as const)('%s %s %j: %s', async (method, path, body, error, message) => {
    expect(await page.send(method, path, body)).toMatchObject({ status: 400, body: { error, message } });
  });

  test.each([
    ['GET', '/api/payment/payment-status', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/payment/payment-status?paymentSessionId=x', undefined, 404, 'PAYMENT_SESSION_NOT_FOUND'],
    [
      'GET',
      `/api/payment/payment-status?paymentSessionId=${UNKNOWN}`,
      undefined,
      404,
      'PAYMENT_SESSION_NOT_FOUND',
    ],
    ['POST', JOIN, { selectedLobbyId: 'x' }, 404, 'LOBBY_NOT_FOUND'],
    ['POST', JOIN, { selectedLobbyId: UNKNOWN }, 404, 'LOBBY_NOT_FOUND'],
    ['GET', `/api/chat/history/${UNKNOWN}?page=1&perPage=10`, undefined, 404, 'NOT_FOUND'],
    ['GET', '/api/chat/history/global?page=0', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/dashboard/games_history?page=0', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/dashboard/games_history?page=one', undefined, 400, 'INVALID_REQUEST'],
    ['POST', '/api/tasks/complete', { taskId: UNKNOWN }, 404, 'TASK_NOT_FOUND'],
    ['POST', '/api/tasks/complete', { taskId: 'a\0b' }, 400, 'INVALID_REQUEST'],
    ['GET', '/api/twitter/verify', undefined, 400, 'INVALID_REQUEST'],
    ['GET', '/api/twitter/verify?code=a&state=a%00b', undefined, 400, 'INVALID_REQUEST'],
  ] as const)('%s %s %j: %i %s', async (method, path, body, status, error) => {
    const answer = method === 'GET' ? await page.get(path) : await page.send(method, path, body);
    expect(answer).toMatchObject({ status, body: { error, message: expect.any(String) } });
  });

  test('tasks ask for the login in their own words', async () => {
    const visitor = await createPageClient(server.url);
    const refused = {
      status: 401,
      body: { error: 'LOGIN_REQUIRED', message: 'Please login to continue.' },
    };
    expect(await visitor.get('/api/tasks/get-all-auth')).toMatchObject(refused);
    expect(await visitor.send('POST', '/api/tasks/complete', { taskId: UNKNOWN })).toMatchObject(refused);
    expect(await visitor.get('/api/tasks/get-all')).toMatchObject({ status: 200 });
  });

  test('a lobby code of any length is judged as a code, and only what could be one counts as a guess', async () => {
    const { id: lobbyId } = (await listLobbies(server)).find(
      ({ lobbyType }) => lobbyType === 'semi-private',
    )!;
    const validate = (lobbyCode: string) =>
      page.send('POST', '/api/serverBrowser/validate-lobby-code', { lobbyId, lobbyCode });
    const wrong = { valid: false, message: 'The lobby code you entered is incorrect.' };
    for (const code of ['', 'ab', 'abcdefg', 'x'.repeat(500), ' ', 'no']) {
      expect(await validate(code)).toMatchObject({ status: 200, body: wrong });
    }
    for (const code of ['abc', 'abcdef', 'xyz', 'zzz', 'yyy'])
      expect((await validate(code)).body).toEqual(wrong);
    expect(await validate('amoeba')).toMatchObject({ status: 429, body: { error: 'RATE_LIMITED' } });
    const other = await createPageClient(server.url);
    await other.signIn();
    const right = { lobbyId, lobbyCode: 'amoeba' };
    expect(await other.send('POST', '/api/serverBrowser/validate-lobby-code', right)).toMatchObject({
      body: { valid: true },
    });
  });

  test('a call without a payload may name JSON as its type', async () => {
    const headers = { cookie: page.cookie!, 'content-type': 'application/json' };
    const guided = await fetch(`${server.url}/api/auth/profile/guided`, { method: 'POST', headers });
    expect(await guided.json()).toEqual({ status: 'success' });
  });

  test('the history of the chat is sent on a bare request, and that of a lobby, too', async () => {
    const socket = openMenu(server);
    for (const payload of [[], [{ lobbyId: (await listLobbies(server))[0]!.id }]]) {
      const history = nextEvent(socket, 'chat:history');
      socket.emit('chat:getHistory', ...payload);
      expect(await history).toEqual({ data: [], hasMorePages: false, currentPage: 1 });
    }
    socket.disconnect();
  });
});

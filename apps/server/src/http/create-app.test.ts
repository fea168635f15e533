import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { Agent, get, type Server } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { brotliCompressSync } from 'node:zlib';
import { lobbyId } from '@engulf/domain/ids/entity-ids';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { soon } from '../../testing/soon.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { openSession, SESSION_COOKIE } from '../accounts/sessions.ts';
import { systemClock } from '../platform/clock.ts';
import type { Context } from '../platform/context.ts';
import { gameProcesses } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { referralCodes } from '../platform/database/people.ts';
import { createGuessLimits } from '../platform/fleet/guess-limits.ts';
import { registerAuth } from './routes/auth.ts';
import { registerServerBrowser } from './routes/server-browser.ts';
import { servePage } from './serve-page.ts';

let database: OpenDatabase;
let context: Context;
let app: FastifyInstance;
let server: Server;
const page = mkdtempSync(join(tmpdir(), 'engulf-page-'));
const lobby = lobbyId(randomUUID());
const sockets: Socket[] = [];

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db);
  await database.db.insert(referralCodes).values({ code: 'CODE' });
  await newLobby(database.db, {
    id: lobby,
    lobbyType: 'semi-private',
    lobbyCode: 'AMOEBA',
    dailyOpenWindows: [{ startUtc: '2020-01-01T00:00:00Z', endUtc: '2100-01-01T00:00:00Z' }],
  });
  const { site, ...created } = await createTestApp(context, { RATE_LIMIT_SCALE: '1' });
  ({ app, server } = created);
  const guesses = createGuessLimits(context.rateLimits);
  registerAuth(app, context, site, guesses);
  registerServerBrowser(app, context, guesses, { countryOf: () => undefined });
  mkdirSync(join(page, 'assets'));
  writeFileSync(join(page, 'index.html'), '<html></html>');
  writeFileSync(join(page, 'assets', 'a-1234.js'), '');
  writeFileSync(join(page, 'assets', 'a-1234.js.br'), brotliCompressSync('small'));
  writeFileSync(join(page, 'assets', 'verify-worker-1234.js'), '');
  await servePage(app, page);
  await app.listen({ host: '127.0.0.1', port: 0 });
});
afterAll(async () => {
  for (const socket of sockets) socket.destroy();
  await app.close();
  await database.close();
  rmSync(page, { recursive: true });
});

/** A signed-in user, who calls from a new address each time unless told otherwise. */
async function newCaller({ address = '', referralCode = 'CODE' as string | null } = {}) {
  const { id } = await newUser(database.db, { referralCode });
  const cookies = { [SESSION_COOKIE]: await openSession(context, database.db, id) };
  return async (url: string, payload: object) => {
    const remoteAddress = address || `10.0.0.${sequence++}`;
    const { body } = await app.inject({ method: 'POST', url, payload, cookies, remoteAddress });
    return JSON.parse(body);
  };
}
let sequence = 0;
const JOIN = '/api/serverBrowser/join-lobby';
const VALIDATE = '/api/serverBrowser/validate-lobby-code';

describe('guessing codes', () => {
  test('of lobbies is limited for an account, over both calls and at the same moment', async () => {
    const call = await newCaller();
    const answers = await Promise.all(
      Array.from({ length: 10 }, (_, nth) =>
        nth % 2 === 0
          ? call(VALIDATE, { lobbyId: lobby, lobbyCode: `WRONG${nth}` })
          : call(JOIN, { selectedLobbyId: lobby, lobbyCode: `WRONG${nth}` }),
      ),
    );
    expect(answers.filter(({ error }) => error === 'RATE_LIMITED')).toHaveLength(5);
    expect(await call(VALIDATE, { lobbyId: lobby, lobbyCode: 'AMOEBA' })).toMatchObject({
      error: 'RATE_LIMITED',
    });
  });

  test('is limited for an address with many accounts', async () => {
    let guesses = 0;
    for (let account = 0; account < 10; account++) {
      const call = await newCaller({ address: '203.0.113.1' });
      for (let nth = 0; nth < 5; nth++) {
        const { error } = await call(JOIN, { selectedLobbyId: lobby, lobbyCode: `W${account}${nth}` });
        if (error === 'INVALID_LOBBY_CODE') guesses++;
      }
    }
    expect(guesses).toBe(20);
  });

  test('does not count right codes', async () => {
    const call = await newCaller();
    for (let nth = 0; nth < 8; nth++) {
      expect(await call(VALIDATE, { lobbyId: lobby, lobbyCode: 'amoeba' })).toMatchObject({ valid: true });
    }
  });

  test('of access is limited for an account that calls from many addresses', async () => {
    const call = await newCaller({ referralCode: null });
    const codes: string[] = [];
    for (let nth = 0; nth < 7; nth++) {
      codes.push((await call('/api/referral/submit', { code: `BAD${nth}` })).error);
    }
    const wrong = Array.from({ length: 5 }, () => 'ACCESS_CODE_INVALID');
    expect(codes).toEqual([...wrong, 'RATE_LIMITED', 'RATE_LIMITED']);
  });

  test('of access with characters that the database does not know is an unknown code like others', async () => {
    const call = await newCaller({ referralCode: null });
    expect(await call('/api/referral/submit', { code: 'CO\0DE' })).toMatchObject({
      error: 'ACCESS_CODE_INVALID',
    });
  });
});

test.each([
  ['/api/auth/profile', 'no-store'],
  ['/api/nothing', 'no-store'],
  ['/api/auth/nonce?x', 'no-store'],
  ['/', 'no-cache'],
  ['/some/view', 'no-cache'],
  ['/assets/a-1234.js', 'public, max-age=31536000, immutable'],
])('%s is answered with cache-control: %s', async (url, rule) => {
  const { headers } = await app.inject({ url });
  expect(headers['cache-control']).toBe(rule);
});

test('a worker that checks matches may ask any node, and nothing else may', async () => {
  const policyOf = async (url: string) =>
    String((await app.inject({ url })).headers['content-security-policy']);
  expect(await policyOf('/assets/verify-worker-1234.js')).toContain("connect-src 'self' https:");
  for (const url of ['/', '/assets/a-1234.js']) expect(await policyOf(url)).not.toContain(' https:');
});

test('the page may measure the way to game processes of other origins', async () => {
  const address = 'https://eu.play.example/game/1';
  await context.db.insert(gameProcesses).values({ id: 'eu', address, version: 'one' });
  onTestFinished(async () => void (await context.db.delete(gameProcesses)));
  const { app: fresh } = await createTestApp(context, {});
  onTestFinished(() => fresh.close());
  const policy = async () => String((await fresh.inject({ url: '/' })).headers['content-security-policy']);
  await soon(async () => expect(await policy()).toMatch(/connect-src [^;]* https:\/\/eu\.play\.example[ ;]/));
});

test('a view of the page is answered without a warning about listeners', async () => {
  const warnings: Error[] = [];
  const note = (warning: Error) => warnings.push(warning);
  process.on('warning', note);
  onTestFinished(() => void process.off('warning', note));
  await app.inject({ url: '/some/other/view' });
  expect(warnings).toEqual([]);
});

test('a browser that can read it gets the compressed form of an asset, which caches keep apart', async () => {
  const url = '/assets/a-1234.js';
  const { headers } = await app.inject({ url, headers: { 'accept-encoding': 'gzip, br' } });
  expect(headers).toMatchObject({
    'content-encoding': 'br',
    'content-type': 'application/javascript; charset=utf-8',
    'cache-control': 'public, max-age=31536000, immutable',
    vary: expect.stringContaining('accept-encoding'),
  });
  expect((await app.inject({ url })).headers['content-encoding']).toBeUndefined();
});

test('slow and idle connections have a deadline', () => {
  expect(server.headersTimeout).toBeLessThanOrEqual(10_000);
  expect(server.requestTimeout).toBeLessThanOrEqual(15_000);
  expect(server.keepAliveTimeout).toBeLessThanOrEqual(10_000);
  expect(server.timeout).toBe(60_000);
  expect(server.maxConnections).toBeLessThanOrEqual(10_000);
});

test('one address may have a hundred connections', async () => {
  const { port } = server.address() as AddressInfo;
  const opened = Array.from({ length: 110 }, () => connect(port, '127.0.0.1').on('error', () => undefined));
  sockets.push(...opened);
  await soon(() => expect(opened.filter(({ closed }) => closed)).toHaveLength(10));
  const elsewhere = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' });
  sockets.push(elsewhere);
  for (const socket of [elsewhere, ...opened.filter(({ closed }) => !closed)]) {
    const answer = once(socket, 'data');
    socket.write('GET /api/config HTTP/1.1\r\nHost: localhost\r\n\r\n');
    expect(String(await answer)).toMatch(/^HTTP\/1\.1 /);
  }
});

test('a client that does not read its answer is closed', async () => {
  server.setTimeout(200);
  writeFileSync(join(page, 'large.txt'), Buffer.alloc(20_000_000));
  const { port } = server.address() as AddressInfo;
  const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.7' });
  sockets.push(socket);
  const taken = once(server, 'connection');
  socket.write('GET /large.txt HTTP/1.1\r\nHost: localhost\r\n\r\n');
  const [connection] = (await taken) as [Socket];
  await soon(() => expect(connection.destroyed).toBe(true));
  server.setTimeout(60_000);
});

/** Sends bytes from an address of its own, again and again if told so, until the server closes the connection. */
async function sendUntilClosed(localAddress: string, head: string, rest = ''): Promise<string> {
  const { port } = server.address() as AddressInfo;
  let answer = '';
  const socket = connect({ port, host: '127.0.0.1', localAddress }, () => socket.write(head));
  sockets.push(socket);
  socket.on('error', () => undefined).on('data', (chunk) => (answer += chunk));
  const again = setInterval(() => rest && socket.write(rest), 20);
  if (!socket.closed) await once(socket, 'close');
  clearInterval(again);
  return answer;
}

test('requests by the hundred in one read are not answered', async () => {
  let asked = 0;
  server.on('request', () => asked++);
  await sendUntilClosed('127.0.0.3', 'GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n'.repeat(1_000));
  expect(asked).toBeLessThanOrEqual(10);
});

test('a body in pieces that nobody reads ends with the answer', { timeout: 8_000 }, async () => {
  const head = 'POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
  await sendUntilClosed('127.0.0.4', head, '1\r\na\r\n');
});

/** No time passes for the limits, however long the test takes. */
function stopLimitClock() {
  const stoppedAtMs = performance.now();
  const clock = vi.spyOn(systemClock, 'monotonicMs').mockReturnValue(stoppedAtMs);
  onTestFinished(() => clock.mockRestore());
}

test('an address that sends more bodies in pieces than it may is told so, and no more of them is read', async () => {
  stopLimitClock();
  const head = 'POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';
  let asked = 0;
  server.on('request', () => asked++);
  const answers: string[] = [];
  for (let i = 0; i < 11; i++)
    answers.push(await sendUntilClosed('127.0.0.8', `${head}${'1\r\na\r\n'.repeat(9_000)}`));
  expect(answers.at(-1)).toMatch(/^HTTP\/1\.1 429 Too Many Requests\r\n.*"error":"RATE_LIMITED"/s);
  expect(asked).toBe(10);
});

test('one address cannot send requests without limit, whatever they are for', async () => {
  stopLimitClock();
  const { port } = server.address() as AddressInfo;
  const from = (localAddress: string) =>
    new Promise<number | undefined>((resolve) =>
      get({ port, host: '127.0.0.1', localAddress, path: '/healthz', agent }, (response) =>
        response.resume().once('end', () => resolve(response.statusCode)),
      ).on('error', () => resolve(undefined)),
    );
  const agent = new Agent({ keepAlive: true, maxSockets: 5 });
  const answers = await Promise.all(Array.from({ length: 700 }, () => from('127.0.0.5')));
  expect(answers).toContain(429);
  expect(answers.filter((status) => status === 200)).toHaveLength(600);
  expect(await from('127.0.0.6')).toBe(200);
  agent.destroy();
});

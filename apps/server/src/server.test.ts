import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Client } from '@colyseus/sdk';
import type { Lobby } from '@engulf/protocol/lobby';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { joinOptionsSchema, ROOM_NAME } from '@engulf/protocol/room/join-options';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { createSolanaRpc } from '@solana/kit';
import { io, type Socket } from 'socket.io-client';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { createPageClient, type PageClient, signInBody } from './testing/page-client.ts';
import { readMetrics, type Samples } from './testing/read-metrics.ts';
import { createServerHome, type ServerHome, type ServerProcess } from './testing/server-process.ts';
import { startTraceCollector, type TraceCollector } from './testing/trace-collector.ts';

const METRICS_TOKEN = 'a token for the tests';
let home: ServerHome;
let server: ServerProcess;
let collector: TraceCollector;
const sockets: Socket[] = [];

beforeAll(async () => {
  collector = await startTraceCollector();
  home = await createServerHome();
  server = await home.start({ METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
});
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.disconnect();
});
afterAll(async () => {
  await home.dispose();
  collector.close();
});

function openMenu(): Socket {
  const socket = io(server.url, { transports: ['websocket'], forceNew: true });
  sockets.push(socket);
  return socket;
}

function next<Payload>(socket: Socket, event: string): Promise<Payload> {
  return new Promise((resolve) => socket.once(event, resolve));
}

async function listLobbies(): Promise<Lobby[]> {
  const socket = openMenu();
  const list = next<unknown>(socket, 'lobby');
  socket.emit('register', 'anonymous');
  return MENU_SERVER_EVENTS.lobby.parse(await list);
}

async function newPlayer(): Promise<PageClient> {
  const page = await createPageClient(server.url);
  await page.signIn();
  await page.send('POST', '/api/referral/submit', { code: server.accessCode });
  return page;
}

async function poll(page: PageClient, paymentSessionId: string): Promise<Record<string, string>> {
  for (;;) {
    const { body } = await page.get(`/api/payment/payment-status?paymentSessionId=${paymentSessionId}`);
    if (body.status !== 'payment_processing') return body;
    await new Promise((done) => setTimeout(done, 200));
  }
}

/** The trace of the entry that was paid for with a transaction, once it has a step. */
async function untilTraced(signature: string, step: string) {
  return vi.waitFor(
    () => {
      const paid = collector.spans.find(({ facts }) => facts['signature'] === signature);
      const spans = collector.spansOf(paid!.traceId);
      expect(spans.map(({ name }) => name)).toContain(step);
      return { traceId: paid!.traceId, spans };
    },
    { timeout: 10_000, interval: 100 },
  );
}

async function openRoom(lobbyId: string, joinTicket: string) {
  const options = joinOptionsSchema.parse({
    type: 'player',
    lobbyId,
    joinTicket,
    protocolVersion: PROTOCOL_VERSION,
  });
  const room = await new Client(server.url).joinOrCreate(ROOM_NAME, options);
  room.onMessage('*', () => undefined);
  return room;
}

describe('a visitor', () => {
  test('sees lobbies of every kind and their updates every second', async () => {
    const lobbies = await listLobbies();
    expect(lobbies.map(({ name }) => name)).toHaveLength(7);
    expect(lobbies.filter(({ lobbyType }) => lobbyType === 'free')).toHaveLength(2);
    expect(lobbies.find(({ tokenMint }) => tokenMint !== null)).toMatchObject({ tokenSymbol: 'GULP' });
    expect(JSON.stringify(lobbies)).not.toContain('AMOEBA');
    const update = await next<unknown>(openMenu(), 'lobby_update');
    expect(MENU_SERVER_EVENTS.lobby_update.safeParse(update).success).toBe(true);
  });

  test('can see rankings and activity but no data of a user', async () => {
    const socket = openMenu();
    const ranking = next(socket, 'leaderboard:7d');
    socket.emit('get:leaderboard:7d');
    expect(await ranking).toEqual([]);
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
    const [first, second] = [await newPlayer(), await newPlayer()];
    const rename = (page: PageClient, name: string) => page.send('PUT', '/api/auth/profile/name', { name });
    expect(await rename(first, ' Gobbler ')).toMatchObject({ status: 200, body: { newValue: 'Gobbler' } });
    expect(await rename(second, 'gobbler')).toMatchObject({ status: 409, body: { error: 'USERNAME_TAKEN' } });
    expect(await rename(second, 'a')).toMatchObject({ status: 400, body: { error: 'USERNAME_MALFORMED' } });
    for (const name of ['Admin_1', 'fuck', 'sh1t-lord', 'f_u_c_k', 'Engulf']) {
      expect(await rename(second, name)).toMatchObject({ body: { error: 'USERNAME_INAPPROPRIATE' } });
    }
  });

  test('gets access with the printed code', async () => {
    const page = await createPageClient(server.url);
    await page.signIn();
    const submit = (code: string) => page.send('POST', '/api/referral/submit', { code });
    expect(await submit('ab')).toMatchObject({ status: 400, body: { error: 'ACCESS_CODE_TOO_SHORT' } });
    expect(await submit('nope')).toMatchObject({ status: 403, body: { error: 'ACCESS_CODE_INVALID' } });
    const free = (await listLobbies())[0]!;
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

describe('the metrics', () => {
  const ask = (authorization?: string) =>
    fetch(`${server.url}/metrics`, { headers: authorization === undefined ? {} : { authorization } });
  const read = async () => (await ask(`Bearer ${METRICS_TOKEN}`)).text();

  async function until(isReached: (samples: Samples) => boolean): Promise<void> {
    while (!isReached(readMetrics(await read()))) await new Promise((done) => setTimeout(done, 100));
  }

  test('are for those who have the token', async () => {
    for (const authorization of [undefined, METRICS_TOKEN, 'Bearer ', `Bearer ${METRICS_TOKEN}x`]) {
      const answer = await ask(authorization);
      expect(answer.status).toBe(401);
      expect(await answer.text()).toBe('');
    }
  });

  test('show what happens, and nobody’s name, wallet or secret', async () => {
    const page = await newPlayer();
    const before = readMetrics(await read());
    const free = (await listLobbies())[0]!;
    const join = () => page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: free.id });
    const room = await openRoom(free.id, (await join()).body.joinTicket);
    await expect(openRoom(free.id, 'no ticket')).rejects.toThrow();
    await until(({ value }) => value('engulf_room_people', { lobby: free.name, kind: 'players' }) === 1);
    await until(
      ({ value }) => value('engulf_lobby_money', { lobby: 'Shallows', part: 'pool' }) !== undefined,
    );
    const text = await read();
    const { names, value } = readMetrics(text);
    const grown = (name: string, labels = {}) => value(name, labels)! - (before.value(name, labels) ?? 0);
    expect(grown('engulf_tick_seconds_count')).toBeGreaterThan(1);
    expect(value('engulf_tick_late_seconds_count')).toBe(value('engulf_tick_seconds_count'));
    const route = { route: '/api/serverBrowser/join-lobby', status: '200' };
    expect(grown('engulf_http_requests_total', route)).toBe(1);
    expect(grown('engulf_refused_total', { what: 'join', code: 'JOIN_TICKET_INVALID' })).toBe(1);
    expect(grown('engulf_room_connections_total', { event: 'joined' })).toBe(1);
    for (const kind of ['http', 'menu', 'room']) {
      expect(grown('engulf_socket_bytes_total', { kind, direction: 'down' })).toBeGreaterThan(50);
    }
    expect(value('engulf_sockets', { kind: 'room' })).toBe(1);
    expect(value('engulf_lobby_covered', { lobby: 'Shallows' })).toBe(1);
    expect(value('engulf_oldest_payout_age_seconds')).toBe(0);
    expect(value('engulf_task_runs_total', { task: 'publish-solvency', result: 'done' })).toBeGreaterThan(0);
    for (const name of [
      'nodejs_eventloop_lag_p99_seconds',
      'engulf_payouts_open',
      'engulf_oldest_verification_age_seconds',
      'engulf_signer_claims_left',
      'engulf_task_seconds_bucket',
    ]) {
      expect(names, name).toContain(name);
    }
    expect(text).toContain('roles="api+game+worker"');
    for (const secret of [page.wallet.address, METRICS_TOKEN, free.id, '127.0.0.1', 'AMOEBA']) {
      expect(text).not.toContain(secret);
    }
    await room.leave();
    await until(({ value }) => value('engulf_sockets', { kind: 'room' }) === 0);
  });
});

describe('a game', () => {
  test('is entered for free with a ticket, on the same port', async () => {
    const page = await newPlayer();
    const free = (await listLobbies())[0]!;
    const { body } = await page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: free.id });
    expect(body).toMatchObject({ status: 'ticketSent', lobbyId: free.id, shouldPoll: false });
    const room = await openRoom(free.id, body.joinTicket);
    expect(room.name).toBe(ROOM_NAME);
    await expect(openRoom(free.id, body.joinTicket)).rejects.toThrow();
    await room.leave();
  });

  test('that was paid for is refunded to the wallet after the server was killed, and the history shows it', async () => {
    const page = await newPlayer();
    await page.send('POST', '/api/dev/faucet', { wallet: page.wallet.address });
    const paid = (await listLobbies()).find(({ name }) => name === 'Shallows')!;
    const join = (more = {}) =>
      page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: paid.id, ...more });
    expect((await join()).body).toMatchObject({ status: 'created', entryFee: '50000000' });
    const transactionHash = await page.pay(paid);
    const { body } = await join({ transactionHash, isPaymentConfirmation: true });
    expect(body).toMatchObject({ status: 'payment_processing', shouldPoll: true });
    const status = await poll(page, body.paymentSessionId);
    expect(status).toMatchObject({ status: 'ticketSent' });
    await openRoom(paid.id, status['joinTicket']!);
    const { body: config } = await page.get('/api/config');
    const balance = async () => {
      const rpc = createSolanaRpc(config.rpcUrl);
      return (await rpc.getBalance(page.wallet.address, { commitment: 'finalized' }).send()).value;
    };
    const before = await balance();
    // What a killed process has not sent yet is lost.
    await untilTraced(transactionHash, 'enter room');

    await server.kill('SIGKILL');
    server = await home.start({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
    let row = { status: '' };
    while (row.status !== 'completed') {
      const { body: history } = await page.get('/api/dashboard/games_history');
      row = history.data.data[0];
      await new Promise((done) => setTimeout(done, 200));
    }
    expect(row).toMatchObject({
      isRefund: true,
      amount: '47500000',
      amountText: '0.0475',
      tokenSymbol: 'SOL',
    });
    expect(await balance()).toBe(before + 47_500_000n);
    const { body: activity } = await page.get('/api/dashboard/list_activity');
    expect(activity.data.data[0]).toMatchObject({ finalStatus: 'fault', amount: '47500000' });
    expect((await page.get('/api/dashboard/statistics')).body.data).toMatchObject({
      depositedAmount: '50000000',
      gamesPlayed: 1,
    });

    const { traceId, spans } = await untilTraced(transactionHash, 'pay out');
    expect(spans.map(({ name }) => name)).toEqual([
      'join lobby',
      'claim payment',
      'verify payment',
      'issue ticket',
      'enter room',
      'play',
      'settle entry',
      'sign payout',
      'pay out',
    ]);
    const processes = spans.map(({ resource }) => resource['service.instance.id']);
    expect(new Set(processes.slice(0, 5)).size).toBe(1);
    expect(new Set(processes.slice(5)).size).toBe(1);
    expect(processes[0]).not.toBe(processes[5]);
    const [root, ...children] = spans;
    expect(root!.parentSpanId).toBeUndefined();
    expect(children.map(({ parentSpanId }) => parentSpanId)).toEqual(children.map(() => root!.spanId));
    expect(spans.at(-1)!.facts).toMatchObject({ fate: 'finalized' });
    const log = readFileSync(`${home.folder}/server.log`, 'utf8').split('\n');
    const about = (message: string) => log.find((line) => line.includes(traceId) && line.includes(message));
    for (const message of ['entry created', 'payment verified', 'entry settled', 'payout decided']) {
      expect(about(message), message).toBeDefined();
    }
  });

  test('ends in good order when the server is stopped, and goes on from a copy of its folder', async () => {
    const page = await newPlayer();
    const free = (await listLobbies())[0]!;
    const { body } = await page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: free.id });
    await openRoom(free.id, body.joinTicket);
    expect(await server.kill('SIGINT')).toBe(0);
    const copy = join(home.folder, 'backup');
    for (const part of ['database', 'chain', 'tickets.secret']) {
      cpSync(join(home.folder, part), join(copy, part), { recursive: true });
    }
    server = await home.start({ ENGULF_DATA_DIR: copy });
    const { body: history } = await page.get('/api/dashboard/games_history');
    expect(history.status).toBe('success');
    const { body: again } = await page.send('POST', '/api/serverBrowser/join-lobby', {
      selectedLobbyId: free.id,
    });
    expect(again).toMatchObject({ status: 'ticketSent' });
  });
});

import { cpSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { PageClient } from '@engulf/trials/page-client';
import { listLobbies, newPlayer, openRoom } from '@engulf/trials/running-server';
import { createServerHome, type ServerHome } from '@engulf/trials/server-home';
import type { ServerProcess } from '@engulf/trials/server-process';
import { createSolanaRpc } from '@solana/kit';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { readMetrics, type Samples } from '../testing/read-metrics.ts';
import { startTraceCollector, type TraceCollector } from '../testing/trace-collector.ts';

const METRICS_TOKEN = 'a token for the tests';
let home: ServerHome;
let server: ServerProcess;
let collector: TraceCollector;

beforeAll(async () => {
  collector = await startTraceCollector();
  home = await createServerHome();
  server = await home.start({ METRICS_TOKEN, OTEL_EXPORTER_OTLP_ENDPOINT: collector.url });
});
afterAll(async () => {
  await home.dispose();
  collector.close();
});

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
    { timeout: 30_000, interval: 100 },
  );
}

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
    const page = await newPlayer(server);
    const before = readMetrics(await read());
    const free = (await listLobbies(server))[0]!;
    const join = () => page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: free.id });
    const room = await openRoom(server, free.id, (await join()).body.joinTicket);
    await expect(openRoom(server, free.id, 'no ticket')).rejects.toThrow();
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
    room.leave();
    await until(({ value }) => value('engulf_sockets', { kind: 'room' }) === 0);
  });
});

describe('a game', () => {
  test('is entered for free with a ticket, on the same port', async () => {
    const page = await newPlayer(server);
    const free = (await listLobbies(server))[0]!;
    const { body } = await page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: free.id });
    expect(body).toMatchObject({ status: 'ticketSent', lobbyId: free.id, shouldPoll: false });
    const room = await openRoom(server, free.id, body.joinTicket);
    await expect(openRoom(server, free.id, body.joinTicket)).rejects.toThrow();
    room.leave();
  });

  test('that was paid for is refunded to the wallet after the server was killed, and the history shows it', async () => {
    const page = await newPlayer(server);
    await page.send('POST', '/api/dev/faucet', { wallet: page.wallet.address });
    const paid = (await listLobbies(server)).find(({ name }) => name === 'Shallows')!;
    const join = (more = {}) =>
      page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: paid.id, ...more });
    expect((await join()).body).toMatchObject({ status: 'created', entryFee: '50000000' });
    const transactionHash = await page.pay(paid);
    const { body } = await join({ transactionHash, isPaymentConfirmation: true });
    expect(body).toMatchObject({ status: 'payment_processing', shouldPoll: true });
    const status = await poll(page, body.paymentSessionId);
    expect(status).toMatchObject({ status: 'ticketSent' });
    await openRoom(server, paid.id, status['joinTicket']!);
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
    const page = await newPlayer(server);
    const free = (await listLobbies(server))[0]!;
    const { body } = await page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: free.id });
    await openRoom(server, free.id, body.joinTicket);
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

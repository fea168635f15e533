import { connect } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import { openRawWebSocket } from '@engulf/trials/hostile/raw-web-socket';
import type { Socket } from 'socket.io-client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { startMenuServer } from '../../testing/menu-server.ts';
import { newLobby } from '../../testing/new-lobby.ts';
import { soon } from '../../testing/soon.ts';

const SOCKETS_PER_ADDRESS = 20;

let menu: Awaited<ReturnType<typeof startMenuServer>>;
let queries = 0;
const sockets: Socket[] = [];

beforeEach(async () => {
  menu = await startMenuServer();
  // Of PGlite or of a pool of connections.
  const { $client: client } = menu.db as unknown as { $client: { query(...parameters: unknown[]): unknown } };
  const query = client.query.bind(client);
  client.query = async (...parameters) => {
    queries++;
    await held;
    return query(...parameters);
  };
});

/** While set, queries are answered after it. */
let held: Promise<unknown> | undefined;

afterEach(async () => {
  sockets.splice(0);
  await menu.dispose();
});

const port = () => menu.port;

async function open(address: string): Promise<Socket> {
  const socket = await menu.open({ address });
  sockets.push(socket);
  return socket;
}

const handshake = (address: string, headers: Record<string, string> = {}) =>
  fetch(`http://127.0.0.1:${port()}/socket.io/?EIO=4&transport=polling`, {
    headers: { 'x-forwarded-for': address, ...headers },
  });

test('clients of a process that stops reconnect by themselves', async () => {
  const socket = await open('203.0.113.7');
  const left = new Promise((resolve) => socket.once('disconnect', resolve));
  menu.stop();
  // After 'io server disconnect' the library does not reconnect.
  expect(await left).toBe('transport close');
});

test('questions are answered without a query for each', async () => {
  const visitors = await Promise.all(Array.from({ length: SOCKETS_PER_ADDRESS }, () => open('203.0.113.1')));
  const startedAt = performance.now();
  queries = 0;
  let answers = 0;
  for (const socket of visitors) {
    socket.on('lobby', () => answers++);
    for (const { event } of LEADERBOARD_PERIODS) {
      socket.on(`leaderboard:${event}`, () => answers++);
      socket.emit(`get:leaderboard:${event}`);
    }
    socket.emit('register', 'anonymous');
  }
  await soon(() => expect(answers).toBe(4 * SOCKETS_PER_ADDRESS));
  const seconds = (performance.now() - startedAt) / 1000;
  // One refresh every second, and one that was late.
  const perRefresh = 5;
  expect(queries).toBeLessThanOrEqual(perRefresh * (2 + seconds));
});

test('the first visitor after a pause sees what has changed since', async () => {
  const now = performance.now.bind(performance);
  const later = vi.spyOn(performance, 'now').mockImplementation(() => now() + 10_000);
  await newLobby(menu.db, { name: 'New Lobby' });
  held = new Promise((resolve) => setTimeout(resolve, 100));
  const socket = await open('203.0.113.8');
  const answer = new Promise<{ name: string }[]>((resolve) => socket.once('lobby', resolve));
  socket.emit('register', 'anonymous');
  expect((await answer).map(({ name }) => name)).toContain('New Lobby');
  held = undefined;
  later.mockRestore();
});

test('an address that asks too much gets no more answers than one address may have', async () => {
  const startedAt = performance.now();
  const visitors = await Promise.all(Array.from({ length: SOCKETS_PER_ADDRESS }, () => open('203.0.113.2')));
  let answers = 0;
  for (const socket of visitors) {
    for (const { event } of LEADERBOARD_PERIODS) {
      socket.on(`leaderboard:${event}`, () => answers++);
      for (let time = 0; time < 5; time++) socket.emit(`get:leaderboard:${event}`);
    }
  }
  await soon(() => expect(answers).toBeGreaterThanOrEqual(80));
  for (let before = 0; before < answers; await sleep(200)) before = answers;
  expect(answers).toBeLessThanOrEqual(81 + (5 * (performance.now() - startedAt)) / 1000);
});

test('one address may open only so many sockets, is told so, and others may still connect', async () => {
  for (let nth = 0; nth < SOCKETS_PER_ADDRESS; nth++) await open('203.0.113.3');
  await expect(open('203.0.113.3')).rejects.toThrow();
  const refused = await handshake('203.0.113.3');
  expect(refused.status).toBe(403);
  expect(await refused.json()).toMatchObject({
    message: expect.stringContaining('Too many connections from your address'),
  });
  // The header's first part is the client's own invention; our proxy wrote the last.
  await expect(open('198.51.100.9, 203.0.113.3')).rejects.toThrow();
  await open('203.0.113.4');
  sockets[0]!.disconnect();
  await soon(() => open('203.0.113.3'));
});

test('handshakes that arrive in one read do not get past the limit', async () => {
  const request = `GET /socket.io/?EIO=4&transport=polling HTTP/1.1\r\nHost: a\r\nX-Forwarded-For: 203.0.113.5\r\n\r\n`;
  const client = connect(port(), '127.0.0.1', () => client.write(request.repeat(200)));
  let answers = '';
  client.on('data', (chunk) => {
    answers += chunk.toString();
  });
  await soon(() => expect(answers.match(/HTTP\/1.1 /g)).toHaveLength(200));
  client.destroy();
  const sids = new Set([...answers.matchAll(/"sid":"([^"]+)"/g)].map(([, sid]) => sid!));
  const polls = [...sids].map(async (sid) => {
    const path = `/socket.io/?EIO=4&transport=polling&sid=${sid}`;
    const answer = await fetch(`http://127.0.0.1:${port()}${path}`, { method: 'POST', body: '40' });
    return answer.status === 200;
  });
  expect((await Promise.all(polls)).filter(Boolean).length).toBeLessThanOrEqual(SOCKETS_PER_ADDRESS);
});

test('a connection that joins many times at once is closed', async () => {
  const url = `http://127.0.0.1:${port()}/socket.io/?EIO=4&transport=polling`;
  const opened = await (await fetch(url)).text();
  const sid = /"sid":"([^"]+)"/.exec(opened)![1]!;
  // Ten packets in one body, as polling sends them.
  await fetch(`${url}&sid=${sid}`, { method: 'POST', body: Array(10).fill('40').join('\u001e') });
  await soon(async () => expect((await fetch(`${url}&sid=${sid}`)).status).toBe(400));
});

test('a socket that floods is closed', async () => {
  const socket = await open('203.0.113.6');
  const closed = new Promise((resolve) => socket.once('disconnect', resolve));
  for (let nth = 0; nth < 200; nth++) socket.emit('nothing', 'x'.repeat(1_000));
  expect(await closed).toMatch(/transport/);
});

test.each([
  // A flood is cut off, though its socket does not agree to be closed.
  ['pings below the packets', Buffer.of(0x89, 0x80, 0, 0, 0, 0), 100],
  ['a message in pieces', Buffer.of(0x01, 0x81, 0, 0, 0, 0, 0x36), 1],
])('a socket that sends %s is cut off', async (_name, frame, count) => {
  const socket = await openRawWebSocket(`http://127.0.0.1:${port()}/socket.io/?EIO=4&transport=websocket`, {
    localAddress: '127.0.0.1',
  });
  socket!.socket.write(Buffer.concat(Array.from({ length: count }, () => frame)));
  await soon(() => expect(socket!.isOpen()).toBe(false));
});

test('the sockets of one address cannot send more together than the address may', async () => {
  const addresses = ['127.0.0.2', '127.0.0.3'];
  const open = async (localAddress: string) =>
    (await openRawWebSocket(`http://127.0.0.1:${port()}/socket.io/?EIO=4&transport=websocket`, {
      localAddress,
    }))!;
  const [own, others] = await Promise.all(
    addresses.map((address) => Promise.all(Array.from({ length: 20 }, () => open(address)))),
  );
  const pings = Buffer.concat(Array.from({ length: 60 }, () => Buffer.of(0x89, 0x80, 0, 0, 0, 0)));
  for (const { socket } of own!) socket.write(pings);
  await soon(() => expect(own!.filter((socket) => !socket.isOpen()).length).toBeGreaterThan(4));
  expect(others!.every((socket) => socket.isOpen())).toBe(true);
  for (const { socket } of [...own!, ...others!]) socket.destroy();
});

test('an address that opens and closes sockets without end is refused, and gets no new allowance by it', async () => {
  const startedAt = performance.now();
  let opened = 0;
  for (let nth = 0; nth < 100; nth++) {
    const socket = await open('203.0.113.8').catch(() => undefined);
    if (socket) opened++;
    socket?.disconnect();
  }
  expect(opened).toBeGreaterThanOrEqual(60);
  expect(opened).toBeLessThanOrEqual(61 + (2 * (performance.now() - startedAt)) / 1000);
});

test('a page of another site is refused', async () => {
  const refused = await handshake('203.0.113.7', { origin: 'https://evil.example' });
  expect(refused.status).toBe(403);
});

import { readFileSync } from 'node:fs';
import type { PageClient } from '@engulf/trials/page-client';
import { childrenOf } from '@engulf/trials/process-usage';
import { listLobbies, newPlayer, openRoom } from '@engulf/trials/running-server';
import { createServerHome, type ServerHome } from '@engulf/trials/server-home';
import type { ServerProcess } from '@engulf/trials/server-process';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { readMetrics } from '../testing/read-metrics.ts';

const METRICS_TOKEN = 'a token for the tests';
let home: ServerHome;
let server: ServerProcess;

beforeAll(async () => {
  home = await createServerHome();
  server = await home.start({ METRICS_TOKEN, ROOM_PROCESSES: '2' });
});
afterAll(() => home.dispose());

const roomPids = () => childrenOf(server.pid, 'room-process');

async function readValue(name: string, labels: Record<string, string>): Promise<number | undefined> {
  const headers = { authorization: `Bearer ${METRICS_TOKEN}` };
  const answer = await fetch(`${server.url}/metrics`, { headers });
  return readMetrics(await answer.text()).value(name, labels);
}

async function until(isSo: () => Promise<boolean>): Promise<void> {
  while (!(await isSo())) await new Promise((done) => setTimeout(done, 200));
}

async function enter(page: PageClient, name: string) {
  const lobby = (await listLobbies(server)).find((each) => each.name === name)!;
  const join = async (more = {}) =>
    (await page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: lobby.id, ...more })).body;
  let body = await join();
  if (body.status === 'created') {
    await page.send('POST', '/api/dev/faucet', { wallet: page.wallet.address });
    body = await join({ transactionHash: await page.pay(lobby), isPaymentConfirmation: true });
    const { paymentSessionId } = body;
    await until(async () => {
      body = (await page.get(`/api/payment/payment-status?paymentSessionId=${paymentSessionId}`)).body;
      return body.status !== 'payment_processing';
    });
  }
  expect(body.status).toBe('ticketSent');
  return enterWhenOpen(lobby.id, body.joinTicket);
}

/** As the page does: right after a kill, a lobby may be offline again by the time that its player comes. */
async function enterWhenOpen(lobbyId: string, joinTicket: string): ReturnType<typeof openRoom> {
  for (;;) {
    try {
      return await openRoom(server, lobbyId, joinTicket);
    } catch (error) {
      if (!['LOBBY_OFFLINE', 'DISCONNECTED'].includes((error as Error).message)) throw error;
      await new Promise((done) => setTimeout(done, 500));
    }
  }
}

test('lobbies are spread over the processes, and what happens in them is counted', async () => {
  const rooms = [];
  for (const name of ['Petri Dish', 'Shallows']) rooms.push(await enter(await newPlayer(server), name));
  await until(
    async () => (await readValue('engulf_room_people', { lobby: 'Shallows', kind: 'players' })) === 1,
  );
  expect(await readValue('engulf_sockets', { kind: 'room' })).toBe(2);
  await until(
    async () => (await readValue('engulf_socket_bytes_total', { kind: 'room', direction: 'down' }))! > 300,
  );
  const readSpread = () => {
    const log = readFileSync(`${home.folder}/server.log`, 'utf8');
    const opened = log.split('\n').filter((line) => line.includes('room opened'));
    return roomPids().map((pid) => opened.filter((line) => line.includes(`"pid":${pid},`)).length);
  };
  const online = (await listLobbies(server)).filter(({ isActive }) => isActive).length;
  // Of the two, one may be ahead of the other.
  await until(async () => readSpread().reduce((sum, count) => sum + count, 0) >= online);
  const spread = readSpread();
  expect(spread).toHaveLength(2);
  expect(Math.abs(spread[0]! - spread[1]!)).toBeLessThanOrEqual(1);
  for (const room of rooms) room.leave();
  await until(async () => (await readValue('engulf_sockets', { kind: 'room' })) === 0);
});

test('players who paid are refunded when the process of the room is killed; the rest of the server is not affected', async () => {
  const page = await newPlayer(server);
  const room = await enter(page, 'Shallows');
  const before = roomPids();
  for (const pid of before) process.kill(pid, 'SIGKILL');
  await room.closed;
  expect((await fetch(`${server.url}/healthz`)).status).toBe(200);
  let row: { status: string } | undefined;
  await until(async () => {
    const { body } = await page.get('/api/dashboard/games_history');
    row = body.data.data[0];
    return row?.status === 'completed';
  });
  expect(row).toMatchObject({ isRefund: true, amount: '47500000' });

  await until(async () => (await fetch(`${server.url}/readyz`)).status === 200 && roomPids().length === 2);
  for (const pid of roomPids()) expect(before).not.toContain(pid);
  const lobby = (await listLobbies(server)).find(({ name }) => name === 'Shallows')!;
  await until(async () => {
    const { body } = await page.send('POST', '/api/serverBrowser/join-lobby', { selectedLobbyId: lobby.id });
    return body.status === 'created';
  });
  (await enter(page, 'Shallows')).leave();
});

test('all of it ends in good order when a terminal stops every process at once', async () => {
  const page = await newPlayer(server);
  await enter(page, 'Shallows');
  const pids = childrenOf(server.pid);
  expect(pids.length).toBeGreaterThan(roomPids().length);
  for (const pid of pids) process.kill(pid, 'SIGINT');
  expect(await server.kill('SIGINT')).toBe(0);
  for (const pid of pids) expect(() => process.kill(pid, 0)).toThrow();
  server = await home.start();
  const { body } = await page.get('/api/dashboard/list_activity');
  expect(body.data.data[0]).toMatchObject({ finalStatus: 'closed', amount: '47500000' });
});

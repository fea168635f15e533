import { request as httpRequest } from 'node:http';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { type ArenaServer, QUICK_RULES, startArenaServer } from '../testing/arena-server.ts';
import { freeLobby } from '../testing/test-lobbies.ts';

const lobby = freeLobby();
const JOIN = `/matchmake/joinOrCreate/${ROOM_NAME}`;
const options = {
  type: 'player',
  lobbyId: lobby.id,
  joinTicket: 'ticket',
  protocolVersion: PROTOCOL_VERSION,
};
let server: ArenaServer;
let base: string;
let address = '10.0.0.1';

beforeAll(async () => {
  server = await startArenaServer([lobby], QUICK_RULES, {
    limitScale: 1,
    addressOf: () => address,
    isOwnOrigin: (origin) => origin === 'https://engulf.example',
  });
  base = server.url.replace('ws:', 'http:');
});
afterAll(() => server.stop());

async function post(path: string, body: string, headers: Record<string, string> = {}) {
  const response = await fetch(base + path, { method: 'POST', body, headers });
  return { status: response.status, body: await response.json(), headers: response.headers };
}

function nextAddress(): void {
  address = `10.0.0.${Number(address.split('.')[3]) + 1}`;
}

test('a valid request gets a seat', async () => {
  nextAddress();
  const { status, body } = await post(JOIN, JSON.stringify(options));
  expect(status).toBe(200);
  expect(body).toMatchObject({ name: ROOM_NAME, roomId: expect.any(String), sessionId: expect.any(String) });
});

test.each([
  ['reconnect', `/matchmake/reconnect/${ROOM_NAME}`],
  ['create', `/matchmake/create/${ROOM_NAME}`],
  ['joinById', '/matchmake/joinById/some-room'],
  ['an inherited method', `/matchmake/constructor/${ROOM_NAME}`],
  ['another room', '/matchmake/joinOrCreate/nothing'],
  ['no method', '/matchmake'],
])('%s is not offered', async (_name, path) => {
  nextAddress();
  expect(await post(path, JSON.stringify(options))).toMatchObject({
    status: 404,
    body: { error: 'NOT_FOUND' },
  });
});

test.each([
  ['nested arrays', '['.repeat(2_000) + ']'.repeat(2_000), 426, 'PROTOCOL_MISMATCH'],
  [
    'nested options',
    JSON.stringify({ ...options, deep: JSON.parse('['.repeat(1_500) + ']'.repeat(1_500)) }),
    400,
    'INVALID_REQUEST',
  ],
  ['no JSON', '{"', 400, 'INVALID_REQUEST'],
  ['1 MB', JSON.stringify({ ...options, fill: 'x'.repeat(1024 * 1024 - 200) }), 413, 'PAYLOAD_TOO_LARGE'],
  ['an unknown lobby', JSON.stringify({ ...options, lobbyId: 'nowhere' }), 404, 'LOBBY_NOT_FOUND'],
])('a body with %s is refused with a code', async (_name, body, status, error) => {
  nextAddress();
  expect(await post(JOIN, body)).toMatchObject({ status, body: { error } });
});

test('a body without a length is cut off at the limit', async () => {
  nextAddress();
  const { answer, write } = openRequest({ 'transfer-encoding': 'chunked' });
  for (let sent = 0; sent <= ENTRANCE_LIMITS.maxRequestBytes; sent += 512) write('x'.repeat(512));
  expect(await answer).toEqual({ status: 413, text: '{"error":"PAYLOAD_TOO_LARGE"}' });
});

test('a body that never ends is refused at the deadline and its connection closed', async () => {
  nextAddress();
  const { answer, closed, write } = openRequest({ 'content-length': '100' });
  write('{');
  const ticking = setInterval(() => server.clock.advance(500), 20);
  expect(await answer).toEqual({ status: 400, text: '{"error":"INVALID_REQUEST"}' });
  await closed;
  clearInterval(ticking);
});

test('one address cannot ask without limit, another is not affected', async () => {
  nextAddress();
  const { burst } = ENTRANCE_LIMITS.requestsPerAddress;
  const answers = await Promise.all(
    Array.from({ length: burst + 5 }, () => post(JOIN, JSON.stringify(options))),
  );
  expect(answers.filter(({ status }) => status === 200)).toHaveLength(burst);
  expect(answers.find(({ status }) => status === 429)!.body).toEqual({ error: 'RATE_LIMITED' });
  nextAddress();
  expect((await post(JOIN, JSON.stringify(options))).status).toBe(200);
});

test('pages of other sites are refused and get no permission', async () => {
  nextAddress();
  const foreign = await post(JOIN, JSON.stringify(options), { origin: 'https://evil.example' });
  expect(foreign).toMatchObject({ status: 403, body: { error: 'FORBIDDEN' } });
  expect(foreign.headers.get('access-control-allow-origin')).toBeNull();
  const own = await post(JOIN, JSON.stringify(options), { origin: 'https://engulf.example' });
  expect(own.headers.get('access-control-allow-origin')).toBe('https://engulf.example');
});

/** A request whose body the test writes piece by piece. */
function openRequest(headers: Record<string, string>) {
  const request = httpRequest(base + JOIN, { method: 'POST', headers });
  request.on('error', () => {});
  const closed = new Promise((resolve) => request.on('close', resolve));
  const answer = new Promise<{ status: number | undefined; text: string }>((resolve) => {
    request.on('response', (response) => {
      let text = '';
      const status = response.statusCode;
      response.on('data', (chunk) => {
        text += chunk;
        resolve({ status, text });
      });
    });
  });
  return { answer, closed, write: (chunk: string) => void request.write(chunk) };
}

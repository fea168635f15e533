import { Agent, request as httpRequest, type RequestOptions } from 'node:http';
import { connect, type Socket } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Attack, Target } from './attack.ts';

const PATH = '/api/serverBrowser/join-lobby';
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];
const MAX_WAITING_BYTES = 200_000;

/** 300 bodies of 1 MB: thousands of nested arrays, then small objects, which are many times as large in memory. */
export const largeBodies: Attack = async ({ url, untilMs }, count) => {
  const nested = '['.repeat(8_000) + ']'.repeat(8_000);
  const small = '{"a":1},'.repeat(125_000);
  const body = `{"selectedLobbyId":"x","nested":${nested},"list":[${small}0]}`;
  for (let i = 0; i < 300 && Date.now() < untilMs; i++) {
    post(url, i, body).then(count);
    await sleep(20);
  }
};

/** Small and deep, and small and valid: 200 a second. */
export const smallBodies: Attack = async ({ url, untilMs, lobbyId }, count) => {
  const nested = `{"deep":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
  for (let i = 0; Date.now() < untilMs; i++) {
    const valid = JSON.stringify({ selectedLobbyId: lobbyId });
    post(url, i, i % 2 === 0 ? nested : valid).then(count);
    await sleep(5);
  }
};

/** 200 bodies that come one byte at a time. */
export const slowBodies: Attack = async ({ url, untilMs }, count) => {
  const requests = Array.from({ length: 200 }, (_, i) => {
    const request = httpRequest(url + PATH, {
      ...optionsOf(i),
      headers: { 'content-length': '4000' },
    });
    request.on('response', ({ statusCode }) => count(statusCode));
    request.on('error', () => count(undefined));
    return request;
  });
  for (; Date.now() < untilMs; await sleep(500)) for (const request of requests) request.write(' ');
  for (const request of requests) request.destroy();
};

const GET = 'GET /api/nothing HTTP/1.1\r\nHost: localhost\r\n\r\n';
const CHUNKED_POST = 'POST /api/nothing HTTP/1.1\r\nHost: localhost\r\nTransfer-Encoding: chunked\r\n\r\n';

/** Requests by the thousand in one write. */
export const pipelinedRequests: Attack = (target, count) => pour(target, count, '', GET.repeat(2_000));

/** Bodies without an end, one byte a piece. */
export const tinyPieces: Attack = (target, count) =>
  pour(target, count, CHUNKED_POST, '1\r\na\r\n'.repeat(10_000));

/** 200 connections that ask again as soon as they are answered. */
export const requestFlood: Attack = async ({ url, untilMs }, count) => {
  const sockets = Array.from({ length: 200 }, (_, i) => {
    const socket = connectTo(url, i).on('error', () => count(undefined));
    socket.on('data', (answer) => {
      count(Number(answer.toString('latin1', 9, 12)));
      socket.write(GET);
    });
    socket.write(GET);
    return socket;
  });
  await sleep(untilMs - Date.now());
  for (const socket of sockets) socket.destroy();
};

/** From fifty addresses the page, 90 times a second each. */
export const pageFlood: Attack = (target, count) => ask(target, count, 90, () => '/');

/** From fifty addresses old pages of the chat, each a query, as often as an address may. */
export const oldChatPages: Attack = (target, count) =>
  ask(
    target,
    count,
    4,
    () => `/api/chat/history/global?page=${1 + Math.floor(Math.random() * 9_000)}&perPage=1`,
  );

/** Every call of the console, by strangers and by players, with signatures that are none. Fails if one is answered. */
export const consoleCalls: Attack = async ({ url, untilMs, cookies }, count) => {
  const change = {
    command: 'switch set',
    positionals: ['payouts-paused', 'on'],
    options: {},
    reason: 'mine',
  };
  const signed = { nonce: '0'.repeat(32), signature: Buffer.alloc(64, 7).toString('base64') };
  const calls: readonly (readonly [path: string, body?: object])[] = [
    ['/api/console'],
    ['/api/console/view?view=money'],
    ['/api/console/view?view=players&q=cell'],
    ['/api/console/changes', change],
    ['/api/console/changes/sign', signed],
  ];
  for (let turn = 0; Date.now() < untilMs; turn++) {
    const [path, body] = calls[turn % calls.length]!;
    const cookie = turn % 3 === 0 ? undefined : cookies[turn % cookies.length];
    const status = await send(url + path, turn, { body: body && JSON.stringify(body), cookie });
    count(status);
    if (status === 200) throw new Error(`${path} was answered`);
  }
};

async function ask(
  { url, untilMs }: Target,
  count: (status: number | undefined) => void,
  perSecond: number,
  path: () => string,
): Promise<void> {
  const addresses = Array.from({ length: 50 }, (_, i) => `127.0.7.${1 + i}`);
  await Promise.all(
    addresses.map(async (localAddress) => {
      const agent = new Agent({ keepAlive: true, maxSockets: 6, localAddress });
      for (; Date.now() < untilMs; await sleep(1000 / perSecond)) {
        const sent = httpRequest(url + path(), { agent }, (response) => {
          response.resume();
          count(response.statusCode);
        });
        sent.on('error', () => count(undefined)).end();
      }
      agent.destroy();
    }),
  );
}

/** From 110 addresses all the connections that each may have, with half a request on every second of them. */
export const idleConnections: Attack = async ({ url, untilMs }, count) => {
  const { hostname, port } = new URL(url);
  const sockets: Socket[] = [];
  const open = (i: number) => {
    if (Date.now() >= untilMs) return;
    const localAddress = `127.0.10.${1 + (i % 110)}`;
    const socket = connect({ host: hostname, port: Number(port), localAddress });
    socket.on('error', () => count(undefined)).on('connect', () => count(0));
    // Whoever is thrown out comes back.
    socket.on('close', () => setTimeout(() => open(i), 500));
    if (i % 2 === 0) socket.write('GET / HT');
    sockets[i] = socket.resume();
  };
  for (let i = 0; i < 110 * 95 && Date.now() < untilMs; i++) {
    open(i);
    if (i % 20 === 0) await sleep(3);
  }
  await sleep(Math.max(0, untilMs - Date.now()));
  for (const socket of sockets) socket.destroy();
};

/** A connection from each address that writes as fast as the server reads, and comes back when it is closed. */
async function pour(
  { url, untilMs }: Target,
  count: (status: number | undefined) => void,
  head: string,
  rest: string,
): Promise<void> {
  const pourOne = async (_: unknown, i: number) => {
    while (Date.now() < untilMs) {
      const socket = connectTo(url, i)
        .on('error', () => {})
        .on('data', () => {});
      socket.write(head);
      for (; !socket.closed && Date.now() < untilMs; await sleep(10)) {
        if (socket.writableLength < MAX_WAITING_BYTES) socket.write(rest);
      }
      count(undefined);
      socket.destroy();
    }
  };
  await Promise.all(ADDRESSES.map(pourOne));
}

function connectTo(url: string, i: number): Socket {
  const { hostname, port } = new URL(url);
  return connect({ host: hostname, port: Number(port), localAddress: ADDRESSES[i % ADDRESSES.length]! });
}

function post(url: string, i: number, body: string): Promise<number | undefined> {
  return send(url + PATH, i, { body });
}

type Sent = { readonly body?: string | undefined; readonly cookie?: string | undefined };

function send(url: string, i: number, { body, cookie }: Sent): Promise<number | undefined> {
  return new Promise((resolve) => {
    const json = body && { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const headers = { ...json, ...(cookie && { cookie }) };
    const method = body === undefined ? 'GET' : 'POST';
    const request = httpRequest(url, { ...optionsOf(i), method, headers }, (response) => {
      response.resume();
      resolve(response.statusCode);
    });
    request.on('error', () => resolve(undefined));
    request.end(body);
  });
}

function optionsOf(i: number): RequestOptions {
  return { method: 'POST', agent: false, localAddress: ADDRESSES[i % ADDRESSES.length]! };
}

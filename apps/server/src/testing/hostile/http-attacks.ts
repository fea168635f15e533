import { request as httpRequest, type RequestOptions } from 'node:http';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOM_NAME } from '@engulf/protocol/room/join-options';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import type { Attack } from './attack.ts';

const PATH = `/matchmake/joinOrCreate/${ROOM_NAME}`;
const ADDRESSES = ['127.0.0.2', '127.0.0.3', '127.0.0.4', '127.0.0.5'];

/** 300 bodies of 1 MB: thousands of nested arrays, then small objects, which are many times as large in memory. */
export const largeBodies: Attack = async ({ url, untilMs }, count) => {
  const nested = '['.repeat(8_000) + ']'.repeat(8_000);
  const small = '{"a":1},'.repeat(125_000);
  const body = `{"protocolVersion":${PROTOCOL_VERSION},"type":"player","nested":${nested},"list":[${small}0]}`;
  for (let i = 0; i < 300 && Date.now() < untilMs; i++) {
    post(url, i, body).then(count);
    await sleep(20);
  }
};

/** Small and deep, and small and valid with tickets that are worth nothing: 200 a second. */
export const smallBodies: Attack = async ({ url, untilMs, lobbyId }, count) => {
  const nested = `{"protocolVersion":${PROTOCOL_VERSION},"deep":${'['.repeat(2_000)}${']'.repeat(2_000)}}`;
  for (let i = 0; Date.now() < untilMs; i++) {
    const valid = {
      type: 'player',
      lobbyId,
      joinTicket: 'x'.repeat(2_000),
      protocolVersion: PROTOCOL_VERSION,
    };
    post(url, i, i % 2 === 0 ? nested : JSON.stringify(valid)).then(count);
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

function post(url: string, i: number, body: string): Promise<number | undefined> {
  return new Promise((resolve) => {
    const headers = { 'content-type': 'application/json', 'content-length': Buffer.byteLength(body) };
    const request = httpRequest(url + PATH, { ...optionsOf(i), headers }, (response) => {
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

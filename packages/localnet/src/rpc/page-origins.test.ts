import { once } from 'node:events';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { startTestLocalnet, type TestLocalnet } from '../testing/test-localnet.ts';

let chain: TestLocalnet;

beforeAll(async () => {
  chain = await startTestLocalnet({ pageOrigins: ['https://play.engulf.example'] });
});
afterAll(() => chain.dispose());

const ALLOWED = [
  'http://localhost:2567',
  'http://127.0.0.1:5173',
  'http://[::1]:80',
  'https://play.engulf.example',
];
const REFUSED = [
  'https://evil.example',
  'http://localhost.evil.example:2567',
  'http://127.0.0.1.evil.example',
  'https://play.engulf.example.evil.example',
  'https://play.engulf.example:8443',
  'null',
  '*',
  '',
];

const health = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'getHealth' });

describe('the chain on the RPC port', () => {
  test.each(ALLOWED)('lets the page of %s send the headers kit sends', async (origin) => {
    const headers = { origin, 'access-control-request-headers': 'content-type,solana-client' };
    const preflight = await fetch(chain.net.rpcUrl, { method: 'OPTIONS', headers });
    expect(preflight.status).toBe(204);
    expect(preflight.headers.get('access-control-allow-origin')).toBe(origin);
    expect(preflight.headers.get('access-control-allow-headers')).toBe('content-type,solana-client');
    const answer = await fetch(chain.net.rpcUrl, { method: 'POST', headers: { origin }, body: health });
    expect(answer.headers.get('access-control-allow-origin')).toBe(origin);
    expect(await answer.json()).toMatchObject({ result: 'ok' });
  });

  test.each(REFUSED)('does not execute a request of the page %j', async (origin) => {
    const answer = await fetch(chain.net.rpcUrl, { method: 'POST', headers: { origin }, body: health });
    expect(answer.status).toBe(403);
    expect(answer.headers.get('access-control-allow-origin')).toBeNull();
    expect(await answer.text()).toBe('');
  });

  test('answers a client without an origin', async () => {
    const answer = await fetch(chain.net.rpcUrl, { method: 'POST', body: health });
    expect(await answer.json()).toMatchObject({ result: 'ok' });
  });
});

describe('the chain on the WebSocket port', () => {
  test.each(ALLOWED)('accepts a socket of the page of %s', async (origin) => {
    const socket = new WebSocket(chain.net.wsUrl, { origin });
    await once(socket, 'open');
    socket.terminate();
  });

  test.each(REFUSED.filter((origin) => origin !== ''))('refuses a socket of the page %j', async (origin) => {
    const socket = new WebSocket(chain.net.wsUrl, { origin });
    const [error] = (await once(socket, 'error')) as [Error];
    expect(error.message).toMatch(/401/);
  });

  test('accepts a socket without an origin', async () => {
    const socket = new WebSocket(chain.net.wsUrl);
    await once(socket, 'open');
    socket.terminate();
  });
});

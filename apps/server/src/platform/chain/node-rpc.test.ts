import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { pino } from 'pino';
import { afterEach, describe, expect, test } from 'vitest';
import { plainError } from '../plain-error.ts';
import { openChain } from './chain.ts';
import { connectRpc, waitForNode } from './node-rpc.ts';

let server: Server | undefined;
afterEach(() => void server?.close());

/** A node that answers its first requests with these statuses, then with slot 7. */
async function startNode(...statuses: number[]): Promise<string> {
  const node = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    response.statusCode = statuses.shift() ?? 200;
    response.end(JSON.stringify({ jsonrpc: '2.0', id: JSON.parse(body).id, result: 7 }));
  });
  server = node;
  await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening));
  return `http://127.0.0.1:${(node.address() as AddressInfo).port}`;
}

function memoryLog() {
  const lines: { code?: string; err?: { message: string; statusCode?: number } }[] = [];
  const write = (line: string) => void lines.push(JSON.parse(line));
  return { lines, logger: pino({ serializers: { err: plainError } }, { write }) };
}

describe('a request to a node', () => {
  test('is repeated when the node is busy', async () => {
    const rpc = connectRpc(await startNode(429, 500, 503, 522));
    expect(await rpc.getSlot().send()).toBe(7n);
  });

  test('is not repeated when the node refuses it for another reason', async () => {
    const rpc = connectRpc(await startNode(403));
    await expect(rpc.getSlot().send()).rejects.toMatchObject({ context: { statusCode: 403 } });
  });

  test('fails when the node stays busy, and the error can be logged', async () => {
    const rpc = connectRpc(await startNode(...Array.from({ length: 9 }, () => 429)));
    const error = await rpc
      .getSlot()
      .send()
      .catch((thrown) => thrown);
    const { lines, logger } = memoryLog();
    logger.error({ err: error }, 'failed');
    logger.error({ err: new Error('wrapped', { cause: error }) }, 'failed');
    expect(lines).toMatchObject([
      { err: { statusCode: 429, message: expect.stringContaining('429'), code: 8_100_002 } },
      { err: { message: 'wrapped', cause: { statusCode: 429 } } },
    ]);
  });
});

describe('the start', () => {
  test('waits for a node that is not there yet and says so in the log', async () => {
    const url = await startNode();
    const refused = connectRpc('http://127.0.0.1:1');
    const working = connectRpc(url);
    const { lines, logger } = memoryLog();
    let attempts = 0;
    const slot = await waitForNode(() => (attempts++ < 2 ? refused : working).getSlot().send(), logger);
    expect(slot).toBe(7n);
    expect(lines.map(({ code }) => code)).toEqual(['NODE_UNAVAILABLE', 'NODE_UNAVAILABLE']);
  });

  test('survives a busy node, and ends at once if the program is not there', async () => {
    const rpcUrl = await startNode(...Array.from({ length: 6 }, () => 500));
    const { lines, logger } = memoryLog();
    const config = {
      kind: 'external',
      rpcUrls: [rpcUrl],
      publicRpcUrl: rpcUrl,
      publicWsUrl: 'ws://127.0.0.1:1',
      programId: '11111111111111111111111111111111',
      superAdminKeypair: undefined,
    } as const;
    await expect(openChain(config as never, logger)).rejects.toThrow();
    expect(lines[0]).toMatchObject({ code: 'NODE_UNAVAILABLE', err: { statusCode: 500 } });
  });
});

test('plainError describes anything that can be thrown', () => {
  const circular = new Error('a');
  circular.cause = circular;
  const hostile = new Proxy(new Error('b'), {
    get: () => {
      throw new Error('no');
    },
  });
  for (const thrown of [circular, hostile, undefined, 'text', new AggregateError([circular])]) {
    expect(() => JSON.stringify(plainError(thrown))).not.toThrow();
  }
});

test('the values of a query that failed stay out of the log', () => {
  const lost = new Error('connection lost');
  const failed = new DrizzleQueryError('insert into "match_secrets" values ($1, $2)', ['id', 'c0ffee'], lost);
  const described = plainError(new Error('a match was not prepared', { cause: failed }));
  expect(described.cause?.message).toContain('match_secrets');
  expect(described.cause?.cause?.message).toBe('connection lost');
  expect(JSON.stringify(described)).not.toContain('c0ffee');
});

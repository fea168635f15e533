import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { walletAddress } from '@engulf/domain/ids/entity-ids';
import { DrizzleQueryError } from 'drizzle-orm/errors';
import { pino } from 'pino';
import { afterEach, describe, expect, test, vi } from 'vitest';
import type { Config } from '../config/config.ts';
import { plainError } from '../plain-error.ts';
import { openChain } from './chain.ts';
import { connectNodes, connectRpc, waitForNode } from './node-rpc.ts';

const servers: Server[] = [];
afterEach(() => {
  for (const server of servers.splice(0)) server.close();
});

/** A node that answers its first requests with these statuses, then with slot 7 and no account. */
const startNode = async (...statuses: number[]) => (await startClusterNode('ours', statuses)).url;

async function startClusterNode(cluster: string, statuses: number[] = []) {
  const asked: string[] = [];
  const node = createServer(async (request, response) => {
    let body = '';
    for await (const chunk of request) body += chunk;
    const { id, method } = JSON.parse(body);
    asked.push(method);
    response.statusCode = statuses.shift() ?? 200;
    const results: Record<string, unknown> = {
      getGenesisHash: cluster,
      getAccountInfo: { context: { slot: 7 }, value: null },
    };
    response.end(JSON.stringify({ jsonrpc: '2.0', id, result: results[method] ?? 7 }));
  });
  servers.push(node);
  await new Promise<void>((listening) => node.listen(0, '127.0.0.1', listening));
  return { url: `http://127.0.0.1:${(node.address() as AddressInfo).port}`, asked };
}

function memoryLog(ignored?: string) {
  const lines: { code?: string; err?: { message: string; statusCode?: number } }[] = [];
  const write = (text: string) => {
    const line = JSON.parse(text);
    if (ignored === undefined || line.code !== ignored) lines.push(line);
  };
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

describe('several nodes', () => {
  test('are one that answers as long as any of them does, and stays with it', async () => {
    const [first, second] = [await startClusterNode('ours'), await startClusterNode('ours')];
    const { rpc, nodes } = await connectNodes([first.url, second.url], memoryLog().logger);
    expect(await rpc.getSlot().send()).toBe(7n);
    servers.find((server) => first.url.endsWith(`:${(server.address() as AddressInfo).port}`))!.close();
    await expect(nodes[0]!.getSlot().send()).rejects.toThrow();
    expect(await rpc.getSlot().send()).toBe(7n);
    expect(await rpc.getSlot().send()).toBe(7n);
    expect(second.asked.filter((method) => method === 'getSlot')).toHaveLength(2);
  });

  test('are connected to although the first one is dead', async () => {
    const second = await startClusterNode('ours');
    const { lines, logger } = memoryLog();
    const { rpc, nodes } = await connectNodes(['http://127.0.0.1:1', second.url], logger);
    expect(await rpc.getSlot().send()).toBe(7n);
    expect(nodes).toHaveLength(2);
    expect(lines).toEqual([]);
  });

  test('are missed at the start if there is only one', async () => {
    const { lines, logger } = memoryLog();
    await connectNodes([await startNode()], logger);
    expect(lines).toMatchObject([{ code: 'ONE_NODE' }]);
  });
});

describe('a second node', () => {
  test('is asked for its cluster first, and not again', async () => {
    const [first, backup] = [await startClusterNode('ours'), await startClusterNode('ours')];
    const { lines, logger } = memoryLog();
    const { nodes } = await connectNodes([first.url, backup.url], logger);
    for (let slots = 0; slots < 5; slots++) expect(await nodes[1]!.getSlot().send()).toBe(7n);
    const checks = backup.asked.filter((method) => method === 'getGenesisHash');
    // One at the start, and one by the first request if that was not answered by then.
    expect(checks.length).toBeLessThanOrEqual(2);
    expect(backup.asked[0]).toBe('getGenesisHash');
    expect(lines).toEqual([]);
  });

  test('of another cluster is reported at the start and never believed or sent anything', async () => {
    const [first, backup] = [await startClusterNode('ours'), await startClusterNode('another')];
    const { lines, logger } = memoryLog();
    const { rpc, nodes } = await connectNodes([first.url, backup.url], logger);
    const [, other] = nodes;
    await vi.waitFor(() => expect(lines).toMatchObject([{ code: 'NODE_OF_OTHER_CLUSTER' }]));
    await expect(other!.getSlot().send()).rejects.toThrow('another cluster');
    await expect(other!.sendTransaction('' as never, { encoding: 'base64' }).send()).rejects.toThrow();
    expect(await rpc.getSlot().send()).toBe(7n);
    expect(backup.asked).toEqual(['getGenesisHash']);
    expect(lines).toHaveLength(1);
  });

  test('that is down at the start is asked for its cluster when it is used', async () => {
    const first = await startClusterNode('ours');
    const backup = await startClusterNode('another', [403]);
    const { lines, logger } = memoryLog();
    const { nodes } = await connectNodes([first.url, backup.url], logger);
    await vi.waitFor(() => expect(backup.asked).toHaveLength(1));
    expect(lines).toEqual([]);
    await expect(nodes[1]!.getSlot().send()).rejects.toThrow('another cluster');
    expect(lines).toMatchObject([{ code: 'NODE_OF_OTHER_CLUSTER' }]);
    expect(backup.asked).toEqual(['getGenesisHash', 'getGenesisHash']);
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
    const { lines, logger } = memoryLog('ONE_NODE');
    await expect(openChain(external(rpcUrl), logger)).rejects.toThrow();
    expect(lines[0]).toMatchObject({ code: 'NODE_UNAVAILABLE', err: { statusCode: 500 } });
  });

  test('checks the cluster of the backups', async () => {
    const { url: backupUrl } = await startClusterNode('another');
    const { lines, logger } = memoryLog();
    await expect(openChain(external(await startNode(), backupUrl), logger)).rejects.toThrow();
    await vi.waitFor(() => expect(lines).toMatchObject([{ code: 'NODE_OF_OTHER_CLUSTER' }]));
  });

  test('is refused if the page would be told to use a node of another cluster', async () => {
    const { url: publicRpcUrl } = await startClusterNode('another');
    const { lines, logger } = memoryLog('ONE_NODE');
    const config = { ...external(await startNode()), publicRpcUrl };
    await expect(openChain(config, logger)).rejects.toThrow('PUBLIC_SOLANA_RPC_URL');
    expect(lines).toEqual([]);
  });

  test('goes on if the node of the page is of the same cluster, or does not tell the server', async () => {
    const { lines, logger } = memoryLog('ONE_NODE');
    const start = async (publicRpcUrl: string) => {
      const config = { ...external(await startNode()), publicRpcUrl };
      await expect(openChain(config, logger)).rejects.toThrow('not set up');
    };
    await start(await startNode());
    expect(lines).toEqual([]);
    await start(await startNode(403));
    await start('http://127.0.0.1:1');
    expect(lines).toMatchObject(Array(2).fill({ code: 'PUBLIC_NODE_UNCHECKED' }));
  });

  const external = (...rpcUrls: string[]): Extract<Config['chain'], { kind: 'external' }> => ({
    kind: 'external',
    rpcUrls,
    publicRpcUrl: rpcUrls[0]!,
    publicWsUrl: 'ws://127.0.0.1:1',
    programId: walletAddress('11111111111111111111111111111111'),
    superAdminKeypair: undefined,
    payoutKeypair: undefined,
    anchorKeypair: undefined,
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

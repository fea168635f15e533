import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import { flushCompileCache } from 'node:module';
import type { AddressInfo } from 'node:net';
import { parentPort, workerData } from 'node:worker_threads';

const SLOTS_PER_EPOCH = 432_000;
const GENESIS_HASH = 'EngULF1oca1Net111111111111111111111111111111';
const slot = Number(workerData as bigint);

const server = createServer((request, response) => {
  serve(request, response).catch(() => response.destroy());
});

server.listen(0, '127.0.0.1', () => {
  parentPort?.postMessage((server.address() as AddressInfo).port);
  flushCompileCache();
});

async function serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  response.setHeader('content-type', 'application/json');
  response.end(JSON.stringify(Array.isArray(body) ? body.map(answer) : answer(body)));
}

function answer(request: unknown): object {
  const { id, method, params } = request as { id: unknown; method: string; params?: unknown[] };
  const result = resultOf(method, params ?? []);
  if (result === undefined) {
    return { jsonrpc: '2.0', id, error: { code: -32601, message: `${method} is not offered` } };
  }
  return { jsonrpc: '2.0', id, result };
}

function resultOf(method: string, params: unknown[]): unknown {
  const withContext = (value: unknown) => ({ context: { slot }, value });
  switch (method) {
    case 'getEpochInfo':
      return {
        absoluteSlot: slot,
        blockHeight: slot,
        epoch: Math.floor(slot / SLOTS_PER_EPOCH),
        slotIndex: slot % SLOTS_PER_EPOCH,
        slotsInEpoch: SLOTS_PER_EPOCH,
        transactionCount: null,
      };
    case 'getEpochSchedule':
      return {
        slotsPerEpoch: SLOTS_PER_EPOCH,
        leaderScheduleSlotOffset: SLOTS_PER_EPOCH,
        warmup: false,
        firstNormalEpoch: 0,
        firstNormalSlot: 0,
      };
    case 'getGenesisHash':
      return GENESIS_HASH;
    case 'getAccountInfo':
      return withContext(null);
    case 'getMultipleAccounts':
      return withContext((params[0] as unknown[]).map(() => null));
    case 'getTokenAccountsByOwner':
    case 'getTokenAccountsByDelegate':
    case 'getTokenLargestAccounts':
    case 'getLargestAccounts':
      return withContext([]);
    case 'getProgramAccounts':
    case 'getSignaturesForAddress':
      return [];
    case 'getTransaction':
      return null;
    default:
      return undefined;
  }
}

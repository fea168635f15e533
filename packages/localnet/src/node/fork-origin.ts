import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';

type ForkOrigin = {
  readonly url: string;
  stop(): void;
};

const SLOTS_PER_EPOCH = 432_000;
const GENESIS_HASH = 'EngULF1oca1Net111111111111111111111111111111';

/** The chain that Surfpool believes it forks: empty, at a fixed slot. */
export async function startForkOrigin(startSlot: bigint): Promise<ForkOrigin> {
  const slot = Number(startSlot);
  const server = createServer((request, response) => {
    serve(slot, request, response).catch(() => response.destroy());
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  // Only Surfpool needs it, which ends with this process.
  server.unref().on('connection', (socket) => socket.unref());
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    stop: () => {
      server.close();
      server.closeAllConnections();
    },
  };
}

async function serve(slot: number, request: IncomingMessage, response: ServerResponse): Promise<void> {
  const chunks: Buffer[] = [];
  for await (const chunk of request) chunks.push(chunk as Buffer);
  const body: unknown = JSON.parse(Buffer.concat(chunks).toString());
  response.setHeader('content-type', 'application/json');
  response.end(
    JSON.stringify(Array.isArray(body) ? body.map((each) => answer(slot, each)) : answer(slot, body)),
  );
}

function answer(slot: number, request: unknown): object {
  const { id, method, params } = request as { id: unknown; method: string; params?: unknown[] };
  const result = resultOf(slot, method, params ?? []);
  if (result === undefined) {
    return { jsonrpc: '2.0', id, error: { code: -32601, message: `${method} is not offered` } };
  }
  return { jsonrpc: '2.0', id, result };
}

function resultOf(slot: number, method: string, params: unknown[]): unknown {
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

import { randomInt } from 'node:crypto';
import { once } from 'node:events';
import { createServer, type Server } from 'node:net';

/** Below what Linux and macOS hand out by themselves, so that no outgoing connection takes a port before its server does. */
const FIRST_PORT = 12_000;
const LAST_PORT = 32_000;
/** Nobody listens yet on a port that was just found, so it must not be found again. */
const found = new Set<number>();
/** Test files that run at the same time look at different ports. */
const LANES = 16;
const LANE = Number(process.env['VITEST_POOL_ID'] ?? 0) % LANES;

/** Two loopback ports nobody listens on right now. */
export async function findFreePorts(): Promise<{ rpcPort: number; wsPort: number }> {
  const [rpcPort, wsPort] = await probe(2);
  return { rpcPort: rpcPort!, wsPort: wsPort! };
}

export async function findFreePort(): Promise<number> {
  const [port] = await probe(1);
  return port!;
}

/** For ports that were found a while ago. */
export async function isStillFree(port: number): Promise<boolean> {
  const server = await hold(port);
  if (server) await once(server.close(), 'close');
  return server !== undefined;
}

/** Holds every port until the last is found, so that all differ. */
async function probe(count: number): Promise<number[]> {
  const held = new Map<number, Server>();
  while (held.size < count) {
    const port = randomInt(FIRST_PORT / LANES, LAST_PORT / LANES) * LANES + LANE;
    if (found.has(port)) continue;
    found.add(port);
    const server = await hold(port);
    if (server) held.set(port, server);
  }
  await Promise.all([...held.values()].map((server) => once(server.close(), 'close')));
  return [...held.keys()];
}

/** Undefined if somebody else has it. */
function hold(port: number): Promise<Server | undefined> {
  const server = createServer();
  return new Promise((resolve) => {
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => resolve(server));
  });
}

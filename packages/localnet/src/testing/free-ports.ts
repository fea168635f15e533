import { once } from 'node:events';
import { type AddressInfo, createServer } from 'node:net';

/** Two loopback ports nobody listens on right now. */
export async function findFreePorts(): Promise<{ rpcPort: number; wsPort: number }> {
  const [rpcPort, wsPort] = await probe(2);
  return { rpcPort: rpcPort!, wsPort: wsPort! };
}

export async function findFreePort(): Promise<number> {
  const [port] = await probe(1);
  return port!;
}

/** Holds every port until the last is found, so that all differ. */
async function probe(count: number): Promise<number[]> {
  const servers = Array.from({ length: count }, () => createServer().listen(0, '127.0.0.1'));
  await Promise.all(servers.map((server) => once(server, 'listening')));
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => once(server.close(), 'close')));
  return ports;
}

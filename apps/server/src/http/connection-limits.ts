import type { Server, ServerOptions } from 'node:http';
import type { Socket } from 'node:net';
import { countedAddress } from '../platform/client-address.ts';
import type { Config } from '../platform/config.ts';

/** Who sends slowly, or nothing, does not keep a connection. Answers may take as long as they need. */
export const SLOW_CLIENT_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const satisfies ServerOptions;

const MAX_CONNECTIONS = 10_000;
/** Sockets of the menu and the rooms included. */
const MAX_CONNECTIONS_PER_ADDRESS = 100;

/** Closes connections above the limit of their address. Those of our own proxies are not counted. */
export function limitConnections(
  server: Server,
  { trustProxy, rateLimitScale }: Pick<Config, 'trustProxy' | 'rateLimitScale'>,
): void {
  server.maxConnections = MAX_CONNECTIONS;
  const open = new Map<string, number>();
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || trustProxy(remoteAddress, 0)) return;
    const address = countedAddress(remoteAddress);
    const connections = (open.get(address) ?? 0) + 1;
    open.set(address, connections);
    socket.once('close', () => {
      const left = open.get(address)! - 1;
      if (left === 0) open.delete(address);
      else open.set(address, left);
    });
    if (connections > MAX_CONNECTIONS_PER_ADDRESS * rateLimitScale) socket.destroy();
  });
}

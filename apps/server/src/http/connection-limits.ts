import type { IncomingMessage, Server, ServerOptions, ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { describeFailure, failure } from '@engulf/domain/errors/registry';
import type { MessageLimit } from '@engulf/protocol/token-bucket';
import { createKeyedLimit } from '../game/room/keyed-limit.ts';
import { clientAddress, countedAddress } from '../platform/client-address.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config.ts';

/** Who sends slowly, or nothing, does not keep a connection. */
export const SLOW_CLIENT_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const satisfies ServerOptions;

/** Who does not read an answer does not keep one either. A poll of the menu is answered every 50 seconds at the latest. */
const STALLED_MS = 60_000;

const MAX_CONNECTIONS = 10_000;
/** Sockets of the menu and the rooms included. */
const MAX_CONNECTIONS_PER_ADDRESS = 100;
/** The first read of a connection can hold ten thousand pieces of a body, which cost 15 ms before anybody sees them. */
const CONNECTIONS_OPENED_PER_ADDRESS: MessageLimit = { perSecond: 5, burst: 150 };
/** Requests of any kind. The page needs some sixty to load, and each call has a limit of its own. */
const REQUESTS_PER_ADDRESS: MessageLimit = { perSecond: 50, burst: 500 };
/** Bodies without a length come in pieces, of one byte if the client likes. Browsers send none. */
const PIECEMEAL_PER_ADDRESS: MessageLimit = { perSecond: 1, burst: 30 };
/** Requests of one connection that are not answered yet. Browsers and proxies wait for each answer. */
const MAX_PIPELINED = 10;

type Limits = Pick<Config, 'trustProxy' | 'rateLimitScale'>;

/** Closes connections above the limit of their address. Those of our own proxies are not counted. */
export function limitConnections(server: Server, { trustProxy, rateLimitScale }: Limits): void {
  server.maxConnections = MAX_CONNECTIONS;
  server.setTimeout(STALLED_MS);
  const open = new Map<string, number>();
  const mayOpen = createKeyedLimit(CONNECTIONS_OPENED_PER_ADDRESS, systemClock, rateLimitScale);
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
    if (connections > MAX_CONNECTIONS_PER_ADDRESS * rateLimitScale || !mayOpen(address)) socket.destroy();
  });
}

/**
 * Stands before all listeners, those of the menu socket included. One read may hold thousands of requests or pieces of a
 * body, which are all handled before the next tick of a match.
 */
export function limitRequests(server: Server, { trustProxy, rateLimitScale }: Limits): void {
  const mayAsk = createKeyedLimit(REQUESTS_PER_ADDRESS, systemClock, rateLimitScale);
  const maySendPieces = createKeyedLimit(PIECEMEAL_PER_ADDRESS, systemClock, rateLimitScale);
  const answers = new WeakMap<Socket, ServerResponse[]>();

  const take = (request: IncomingMessage, response: ServerResponse): boolean => {
    const { socket } = request;
    const unfinished = (answers.get(socket) ?? []).filter(({ writableFinished }) => !writableFinished);
    answers.set(socket, [...unfinished, response]);
    if (unfinished.length >= MAX_PIPELINED) {
      socket.destroy();
      stopParsing(socket);
      return false;
    }
    const isPiecemeal = request.headers['transfer-encoding'] !== undefined;
    // Nobody reads the rest of the body, and it may have no end.
    if (isPiecemeal) response.once('close', () => request.complete || socket.destroy());
    const address = clientAddress(request, trustProxy);
    if (mayAsk(address) && (!isPiecemeal || maySendPieces(address))) return true;
    refuse(response);
    return false;
  };

  const emit: Server['emit'] = server.emit.bind(server);
  server.emit = (event: string, ...parameters: unknown[]) =>
    event === 'request' && !take(...(parameters as [IncomingMessage, ServerResponse]))
      ? true
      : emit(event, ...parameters);
}

/** What types of Node leave out. Without it, the rest of the read would still be made into requests: 20 µs for each. */
function stopParsing(socket: Socket): void {
  const { parser } = socket as { parser?: { onIncoming(): number } | null };
  // As after a request for another protocol: the bytes that follow are not HTTP.
  if (parser) parser.onIncoming = () => 2;
}

function refuse(response: ServerResponse): void {
  const { httpStatus, text } = describeFailure(failure('RATE_LIMITED'));
  response
    .writeHead(httpStatus ?? 500, { 'content-type': 'application/json; charset=utf-8', connection: 'close' })
    .end(JSON.stringify({ error: 'RATE_LIMITED', message: text }));
}

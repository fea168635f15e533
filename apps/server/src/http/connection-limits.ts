import {
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { Socket } from 'node:net';
import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { createCrowd } from '@engulf/protocol/crowd';
import { createKeyedLimit } from '@engulf/protocol/keyed-limit';
import type { MessageLimit } from '@engulf/protocol/token-bucket';
import { clientAddress, countedAddress } from '../platform/client-address.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { WaitingLine } from './waiting-line.ts';

/** Closes connections of clients that send slowly or not at all. */
export const SLOW_CLIENT_LIMITS = {
  headersTimeout: 10_000,
  requestTimeout: 15_000,
  keepAliveTimeout: 10_000,
  connectionsCheckingInterval: 2_000,
  maxHeaderSize: 16 * 1024,
} as const satisfies ServerOptions;

/** A client that does not read its answer is closed. Menu polls are answered within 50 seconds, so this must be longer. */
const STALLED_MS = 60_000;

const MAX_CONNECTIONS = 9_000;
/** Sockets of the menu and the rooms included. */
const MAX_CONNECTIONS_PER_ADDRESS = 100;
const CONNECTIONS_OPENED_PER_ADDRESS: MessageLimit = { perSecond: 10, burst: 200 };
/** Requests of any kind. The page needs some sixty to load, and each call has a limit of its own. */
const REQUESTS_PER_ADDRESS: MessageLimit = { perSecond: 30, burst: 600 };
/** For supervisors, whom a flood must not tell that we are gone. */
const PROBES = new Set(['/healthz', '/readyz', '/metrics']);
/**
 * Bodies without a length come in chunks, which may be one byte each: ten thousand in one read cost 15 ms. Browsers send
 * none.
 */
const PIECEMEAL_PER_ADDRESS: MessageLimit = { perSecond: 1, burst: 10 };
/** Requests of one connection that are not answered yet. Browsers and proxies wait for each answer. */
const MAX_PIPELINED = 10;

type Limits = Pick<Config, 'trustProxy' | 'rateLimitScale'>;

/**
 * Closes connections above the limit of their address. When all places are taken, the address with the most connections that
 * are no sockets yet gives one up. Those of our own proxies are not counted: they have limits of their own (deploy/nginx).
 */
export function limitConnections(
  server: Server,
  { trustProxy, rateLimitScale }: Limits,
  maxConnections = MAX_CONNECTIONS,
): void {
  // Above this, Node closes whoever comes; the difference is for proxies.
  server.maxConnections = maxConnections * 1.1;
  server.setTimeout(STALLED_MS);
  const open = createCrowd<Socket>();
  /** Those that have not become sockets of the menu or of a room, which have limits of their own. */
  const plain = createCrowd<Socket>();
  let total = 0;
  const mayOpen = createKeyedLimit(CONNECTIONS_OPENED_PER_ADDRESS, systemClock, rateLimitScale);
  const makeRoom = (address: string): boolean => {
    const oldest = plain.takeFromMost(address);
    oldest?.destroy();
    return oldest !== undefined;
  };
  server.on('connection', (socket: Socket) => {
    const { remoteAddress } = socket;
    if (remoteAddress === undefined || trustProxy(remoteAddress, 0)) return;
    const address = countedAddress(remoteAddress);
    const isFull = open.countOf(address) >= MAX_CONNECTIONS_PER_ADDRESS * rateLimitScale;
    if (isFull || !mayOpen(address) || (total >= maxConnections && !makeRoom(address))) {
      socket.destroy();
      return;
    }
    total++;
    open.add(address, socket);
    plain.add(address, socket);
    socket.once('close', () => {
      total--;
      open.remove(address, socket);
      plain.remove(address, socket);
    });
  });
  server.prependListener('upgrade', ({ socket }: IncomingMessage) => {
    if (socket.remoteAddress !== undefined) plain.remove(countedAddress(socket.remoteAddress), socket);
  });
}

/** Not in Node's types: a connection's parser calls this for each request, before it reads the body. */
type Parser = { onIncoming(request: IncomingMessage, isKeptAlive: boolean): number };
/** The parser's code for an upgrade: the rest of what was read is not HTTP. */
const STOP = 2;

/**
 * Judges each request before anything handles it, and before its body is read. One read may hold thousands of requests or
 * pieces of a body, all of which would be handled before the next tick of a match.
 */
export function limitRequests(
  server: Server,
  { trustProxy, rateLimitScale }: Limits,
  line: Pick<WaitingLine, 'enter'>,
): void {
  const mayAsk = createKeyedLimit(REQUESTS_PER_ADDRESS, systemClock, rateLimitScale);
  const maySendPieces = createKeyedLimit(PIECEMEAL_PER_ADDRESS, systemClock, rateLimitScale);
  const answers = new WeakMap<Socket, readonly ServerResponse[]>();
  const unanswered = (socket: Socket) =>
    (answers.get(socket) ?? []).filter(({ writableFinished }) => !writableFinished);

  const isWelcome = (request: IncomingMessage): boolean => {
    const address = clientAddress(request, trustProxy);
    return mayAsk(address) && (!isPiecemeal(request) || maySendPieces(address));
  };

  /** Whoever listens, the menu's polling included, hears of a request when it is its turn. */
  const emit = server.emit.bind(server) as (event: string, ...parameters: unknown[]) => boolean;
  const lineUp = (request: IncomingMessage, response: ServerResponse): void => {
    const { socket } = request;
    answers.set(socket, [...unanswered(socket), response]);
    // Nobody reads the rest of the body, and it may be endless.
    if (isPiecemeal(request)) response.once('close', () => request.complete || socket.destroy());
    const serve = () => void (socket.destroyed || emit('request', request, response));
    if (PROBES.has(request.url!)) serve();
    else if (!line.enter(clientAddress(request, trustProxy), serve)) {
      response.writeHead(503, {
        'content-type': 'application/json',
        'retry-after': '5',
        connection: 'close',
      });
      response.end(OVERLOADED);
    }
  };
  server.emit = (event: string, ...parameters: unknown[]) => {
    if (event !== 'request') return emit(event, ...parameters);
    lineUp(...(parameters as [IncomingMessage, ServerResponse]));
    return true;
  };
  server.on('connection', (socket: Socket) => {
    const { parser } = socket as { parser?: Parser | null };
    if (!parser) return;
    const takeRequest = parser.onIncoming;
    parser.onIncoming = (request, isKeptAlive) => {
      const waiting = unanswered(socket).length;
      if (!socket.destroyed && waiting < MAX_PIPELINED && isWelcome(request)) {
        return takeRequest(request, isKeptAlive);
      }
      // Answers come in the order of their requests.
      if (waiting === 0 && socket.writable) socket.write(REFUSAL);
      socket.destroySoon();
      return STOP;
    };
  });
}

const isPiecemeal = ({ headers }: IncomingMessage) => headers['transfer-encoding'] !== undefined;

const REFUSAL = rawAnswer(failure('RATE_LIMITED'));
const OVERLOADED = bodyOf(failure('SERVER_BUSY'));

function bodyOf(refusal: Failure): string {
  return JSON.stringify({ error: refusal.code, message: describeFailure(refusal).text });
}

function rawAnswer(refusal: Failure): string {
  const status = describeFailure(refusal).httpStatus ?? 500;
  const body = bodyOf(refusal);
  const head = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    'content-type: application/json; charset=utf-8',
    `content-length: ${Buffer.byteLength(body)}`,
    'cache-control: no-store',
    'connection: close',
  ];
  return `${head.join('\r\n')}\r\n\r\n${body}`;
}

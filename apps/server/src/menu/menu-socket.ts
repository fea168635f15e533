import type { Server as HttpServer, IncomingMessage } from 'node:http';
import type { Socket as Connection } from 'node:net';
import type { Duplex } from 'node:stream';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import { createBucket, type MessageLimit, takeTokens } from '@engulf/protocol/token-bucket';
import { MAX_MESSAGE_BYTES } from '@engulf/protocol/wire/frame-walk';
import { createWireLimits, type Wire, type WireLimits } from '@engulf/protocol/wire/wire-limits';
import { Server, type Socket } from 'socket.io';
import type { Chat } from '../chat/chat.ts';
import { watchConnections } from '../platform/activity.ts';
import { clientAddress } from '../platform/client-address.ts';
import { systemClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { reportMenus } from '../platform/fleet/open-menus.ts';
import { watchGathering } from './gathering-watch.ts';
import { answerChat, forwardChat } from './menu-chat.ts';
import { openMenuCopy } from './menu-copy.ts';
import { listenOn, type MenuClient, type MenuServer } from './menu-events.ts';
import { openMenuFeed } from './menu-feed.ts';
import { watchPayments } from './payment-watch.ts';
import { watchProfiles } from './profile-watch.ts';
import { createSocketLimits, type SocketLimits } from './socket-limits.ts';
import { createVisitors } from './visitors.ts';

export const MENU_SOCKET_PATH = '/socket.io';

export type MenuSocket = {
  close(): void;
};

export type MenuOptions = {
  readonly config: Pick<Config, 'trustProxy' | 'rateLimitScale'>;
  readonly chat: Chat;
  readonly isOwnOrigin: (origin: string) => boolean;
};

type RawSocket = Socket['conn'];

/** Everything that a socket sends, questions or not. The page sends a few messages a minute. */
const PACKET_LIMIT: MessageLimit = { perSecond: 20, burst: 60 };
/** Below the packets there are frames that Engine.IO does not see. */
const WIRE_LIMITS: WireLimits = {
  framesPerSocket: { perSecond: 20, burst: 80 },
  bytesPerSocket: { perSecond: 4 * 1024, burst: 16 * 1024 },
  framesPerAddress: { perSecond: 100, burst: 800 },
  bytesPerAddress: { perSecond: 20 * 1024, burst: 160 * 1024 },
};
const HANDSHAKE_MS = 10_000;
/** Closed pages are mostly noticed by writes to them. Below the minute after which proxies time out. */
const PING_MS = 50_000;

export async function openMenuSocket(
  context: Context,
  server: HttpServer,
  { config, chat, isOwnOrigin }: MenuOptions,
): Promise<MenuSocket> {
  const copy = await openMenuCopy(context, watchConnections(server));
  const limits = createSocketLimits(config.rateLimitScale, context.nowMs);
  const addressOf = (request: IncomingMessage) => clientAddress(request, config.trustProxy);
  const countWire = createWireLimits(WIRE_LIMITS, systemClock, config.rateLimitScale);
  server.prependListener('upgrade', (request, stream) => {
    if (request.url?.startsWith(`${MENU_SOCKET_PATH}/`)) limitWire(stream, countWire(addressOf(request)));
  });
  const io: MenuServer = new Server(server, {
    path: MENU_SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: HANDSHAKE_MS,
    pingInterval: PING_MS,
    destroyUpgrade: false,
    allowRequest: (request, callback) => {
      const { origin } = request.headers;
      const isOwn = origin === undefined || isOwnOrigin(origin);
      const refusal = isOwn
        ? limits.refuseHandshake(addressOf(request))
        : 'Pages of other sites may not connect.';
      callback(refusal, refusal === undefined);
    },
  });
  io.engine.on('connection', (raw: RawSocket) => guard(context, raw, addressOf(raw.request), limits));
  const feed = openMenuFeed(copy);
  const visitors = createVisitors(context, io);
  io.on('connection', (socket: MenuClient) => {
    const address = addressOf(socket.request);
    // Several joins that arrive in one read pass Socket.IO's check that there is only one.
    if (!feed.add(socket.conn)) {
      closeAtOnce(socket.conn);
      return;
    }
    socket.once('disconnect', () => feed.remove(socket.conn));
    const takeQuestion = () => limits.takeQuestion(address);
    // Looking up the session is a query, and a client may leave and join as fast as it likes.
    if (visitors.hasCookie(socket) && takeQuestion()) {
      visitors.welcome(socket).catch((error: unknown) => {
        context.logger.error({ code: 'MENU_NOT_READ', err: error }, 'a visitor could not be identified');
      });
    }
    const listen = listenOn(socket, { nowMs: context.nowMs, takeQuestion });
    listen('register', async () => {
      await copy.fresh();
      socket.emit('lobby', copy.lobbies());
    });
    for (const period of LEADERBOARD_PERIODS) {
      listen(`get:leaderboard:${period.event}`, async () => {
        await copy.fresh();
        feed.sendLeaderboard(socket.conn, period);
      });
    }
    answerChat(listen, socket, { context, chat, visitors, address });
  });
  const stopChat = forwardChat(chat, io, feed, visitors);
  const stopProfiles = watchProfiles(context, visitors);
  const stopPayments = watchPayments(context, visitors);
  const stopReporting = reportMenus(context.bus, () => io.engine.clientsCount > 0);
  const stopGathering = watchGathering(context, copy, visitors);
  return {
    close: () => {
      stopChat();
      stopProfiles();
      stopPayments();
      stopGathering();
      stopReporting();
      feed.close();
      copy.close();
      // The http server is closed by its owner. Clients that are told to disconnect would not reconnect.
      io.engine.close();
    },
  };
}

/** Counts the socket and its packets. Several handshakes in one read pass `allowRequest` before any is counted. */
function guard(context: Pick<Context, 'nowMs'>, raw: RawSocket, address: string, limits: SocketLimits): void {
  const close = () => closeAtOnce(raw);
  const isWelcome = limits.open(address, close);
  raw.once('close', () => limits.closed(address, close));
  const packets = createBucket(PACKET_LIMIT, context.nowMs());
  raw.on('packet', () => {
    if (!takeTokens(packets, 1, context.nowMs())) close();
  });
  if (!isWelcome) close();
}

/** `ws` would read on until its client has agreed, which an attacker never does. */
function closeAtOnce(raw: RawSocket): void {
  const { socket } = raw.transport as unknown as {
    readonly socket?: { readonly _socket?: Connection | null };
  };
  raw.close(true);
  socket?._socket?.destroySoon();
}

/** Counts what arrives before anybody else hears of it, and closes a connection that sends too much of whatever. */
function limitWire(stream: Duplex, wire: Wire): void {
  const emit: Duplex['emit'] = stream.emit.bind(stream);
  stream.emit = (event: string | symbol, ...parameters: unknown[]) => {
    const isTooMuch = event === 'data' && wire.take(parameters[0] as Buffer) !== undefined;
    if (!isTooMuch) return emit(event, ...parameters);
    stream.destroy();
    return true;
  };
}

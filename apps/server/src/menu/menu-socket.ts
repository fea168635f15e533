import type { Server as HttpServer, IncomingMessage } from 'node:http';
import {
  MENU_CLIENT_EVENTS,
  type MenuClientToServer,
  type MenuServerToClient,
} from '@engulf/protocol/menu/events';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import { createBucket, type MessageLimit, takeTokens } from '@engulf/protocol/token-bucket';
import { Server, type Socket } from 'socket.io';
import { clientAddress } from '../platform/client-address.ts';
import type { Config } from '../platform/config.ts';
import type { Context } from '../platform/context.ts';
import { type MenuCopy, openMenuCopy } from './menu-copy.ts';
import { createSocketLimits, type SocketLimits } from './socket-limits.ts';

export const MENU_SOCKET_PATH = '/socket.io';

export type MenuSocket = {
  close(): void;
};

export type MenuOptions = {
  readonly config: Pick<Config, 'trustProxy' | 'rateLimitScale'>;
  readonly isOwnOrigin: (origin: string) => boolean;
};

type MenuServer = Server<MenuClientToServer, MenuServerToClient>;
type MenuClient = Socket<MenuClientToServer, MenuServerToClient>;
type RawSocket = Socket['conn'];

const MAX_MESSAGE_BYTES = 4_096;
/** Everything that a socket sends, questions or not. The page sends a few messages a minute. */
const PACKET_LIMIT: MessageLimit = { perSecond: 20, burst: 60 };
/** A client that does not read is closed before its answers fill the memory. */
const MAX_UNSENT_PACKETS = 100;
const HANDSHAKE_MS = 10_000;
/** Every socket gets its updates once a second, a group at a time, so that no single turn takes long. */
const GROUPS = 10;
const GROUP_MS = 100;

export async function openMenuSocket(
  context: Context,
  server: HttpServer,
  { config, isOwnOrigin }: MenuOptions,
): Promise<MenuSocket> {
  const copy = await openMenuCopy(context);
  const limits = createSocketLimits(config.rateLimitScale, context.nowMs);
  const addressOf = (request: IncomingMessage) => clientAddress(request, config.trustProxy);
  const io: MenuServer = new Server(server, {
    path: MENU_SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    connectTimeout: HANDSHAKE_MS,
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
  let opened = 0;
  io.on('connection', (socket) => {
    socket.join(groupName(opened++ % GROUPS));
    listen(context, socket, copy, () => limits.takeQuestion(addressOf(socket.request)));
  });
  const stopUpdates = startUpdates(io, copy);
  return {
    close: () => {
      stopUpdates();
      copy.close();
      // The http server is closed by its owner.
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

/** Counts the socket and its packets. Several handshakes in one read pass `allowRequest` before any is counted. */
function guard(context: Context, raw: RawSocket, address: string, limits: SocketLimits): void {
  const isWelcome = limits.open(address);
  raw.once('close', () => limits.close(address));
  const packets = createBucket(PACKET_LIMIT, context.nowMs());
  raw.on('packet', () => {
    if (!takeTokens(packets, 1, context.nowMs())) raw.close(true);
  });
  if (!isWelcome) raw.close(true);
}

function listen(context: Context, socket: MenuClient, copy: MenuCopy, takeQuestion: () => boolean): void {
  const on = <Event extends keyof typeof MENU_CLIENT_EVENTS>(event: Event, answer: () => void): void => {
    const { payload, limit } = MENU_CLIENT_EVENTS[event];
    const bucket = createBucket(limit, context.nowMs());
    const handler = (received: unknown) => {
      if (!takeTokens(bucket, 1, context.nowMs()) || !takeQuestion()) return;
      if (payload.safeParse(received).success) answer();
    };
    // The client is not trusted to follow the map of events: only the schema decides what the payload is.
    (socket as Socket).on(event as string, handler);
  };
  on('register', () => socket.emit('lobby', copy.lobbies()));
  for (const period of LEADERBOARD_PERIODS) {
    on(`get:leaderboard:${period.event}`, () => {
      socket.emit(`leaderboard:${period.event}`, copy.leaderboard(period));
    });
  }
}

function startUpdates(io: MenuServer, copy: MenuCopy): () => void {
  let turn = 0;
  const timer = setInterval(() => {
    const group = groupName(turn++ % GROUPS);
    for (const update of copy.updates()) io.to(group).emit('lobby_update', update);
    for (const id of io.of('/').adapter.rooms.get(group) ?? []) {
      const socket = io.of('/').sockets.get(id);
      if (socket && unsentPackets(socket) > MAX_UNSENT_PACKETS) socket.conn.close(true);
    }
  }, GROUP_MS);
  return () => clearInterval(timer);
}

const groupName = (number: number): string => `group ${number}`;

function unsentPackets(socket: MenuClient): number {
  return (socket.conn as unknown as { readonly writeBuffer: readonly unknown[] }).writeBuffer.length;
}

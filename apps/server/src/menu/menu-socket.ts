import type { Server as HttpServer } from 'node:http';
import {
  MENU_CLIENT_EVENTS,
  type MenuClientToServer,
  type MenuServerToClient,
} from '@engulf/protocol/menu/events';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import { createBucket, takeTokens } from '@engulf/protocol/token-bucket';
import { Server, type Socket } from 'socket.io';
import { describeLobbies, describeUpdates } from '../lobbies/describe-lobbies.ts';
import { listLobbies } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { readLeaderboard } from '../stats/leaderboard.ts';

export const MENU_SOCKET_PATH = '/socket.io';

export type MenuSocket = {
  close(): void;
};

type MenuServer = Server<MenuClientToServer, MenuServerToClient>;
type MenuClient = Socket<MenuClientToServer, MenuServerToClient>;

const UPDATE_MS = 1_000;
const MAX_MESSAGE_BYTES = 4_096;

export function openMenuSocket(
  context: Context,
  server: HttpServer,
  isOwnOrigin: (origin: string) => boolean,
): MenuSocket {
  const io: MenuServer = new Server(server, {
    path: MENU_SOCKET_PATH,
    serveClient: false,
    maxHttpBufferSize: MAX_MESSAGE_BYTES,
    destroyUpgrade: false,
    allowRequest: (request, callback) => {
      const { origin } = request.headers;
      callback(null, origin === undefined || isOwnOrigin(origin));
    },
  });
  io.on('connection', (socket) => listen(context, socket));
  const timer = setInterval(() => {
    sendUpdates(context, io).catch((error) => context.logger.error({ err: error }, 'lobby updates failed'));
  }, UPDATE_MS);
  return {
    close: () => {
      clearInterval(timer);
      // The http server is closed by its owner.
      io.disconnectSockets(true);
      io.engine.close();
    },
  };
}

function listen(context: Context, socket: MenuClient): void {
  const on = <Event extends keyof typeof MENU_CLIENT_EVENTS>(
    event: Event,
    answer: () => Promise<void>,
  ): void => {
    const { payload, limit } = MENU_CLIENT_EVENTS[event];
    const bucket = createBucket(limit, context.nowMs());
    const handler = (received: unknown) => {
      if (!takeTokens(bucket, 1, context.nowMs()) || !payload.safeParse(received).success) return;
      answer().catch((error) => context.logger.error({ err: error, event }, 'menu event failed'));
    };
    // The client is not trusted to follow the map of events: only the schema decides what the payload is.
    (socket as Socket).on(event as string, handler);
  };
  on('register', async () => {
    socket.emit('lobby', await describeLobbies(context));
  });
  for (const period of LEADERBOARD_PERIODS) {
    on(`get:leaderboard:${period.event}`, async () => {
      socket.emit(`leaderboard:${period.event}`, await readLeaderboard(context, period));
    });
  }
}

async function sendUpdates(context: Context, io: MenuServer): Promise<void> {
  if (io.engine.clientsCount === 0) return;
  const updates = await describeUpdates(context, await listLobbies(context.db));
  for (const update of updates) io.emit('lobby_update', update);
}

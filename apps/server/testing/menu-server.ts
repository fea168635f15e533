import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { io, type Socket } from 'socket.io-client';
import { openSession, SESSION_COOKIE } from '../src/accounts/sessions.ts';
import { type Chat, openChat } from '../src/chat/chat.ts';
import { openMenuSocket } from '../src/menu/menu-socket.ts';
import { parseTrustProxy } from '../src/platform/client-address.ts';
import type { Context } from '../src/platform/context.ts';
import type { Database } from '../src/platform/database/open-database.ts';
import type { UserRow } from '../src/platform/database/people.ts';
import type { createLoneState } from '../src/platform/fleet/shared-state.ts';
import { createBareContext } from './bare-context.ts';
import { openTestDatabase } from './test-database.ts';

export type MenuServer = {
  readonly db: Database;
  readonly context: Context;
  readonly chat: Chat;
  readonly port: number;
  open(options?: Visit): Promise<Socket>;
  /** As when the process stops in good order. */
  stop(): void;
  dispose(): Promise<void>;
};

type Visit = {
  readonly address?: string;
  /** Whose session cookie the socket brings. */
  readonly user?: UserRow;
  readonly transport?: 'websocket' | 'polling';
  /** Called before the socket connects, to listen from the first event on. */
  readonly prepare?: (socket: Socket) => void;
};

/** What the menu has in common with that of another process. */
type Shared = { readonly db: Database } & ReturnType<typeof createLoneState>;

/** The menu socket on a real database, without the rest of the server. */
export async function startMenuServer(shared?: Shared): Promise<MenuServer> {
  const database = shared ? { db: shared.db, close: async () => {} } : await openTestDatabase();
  const context = createBareContext(database.db, shared);
  const server = createServer((_request, response) => response.end());
  const config = { trustProxy: parseTrustProxy('1')!, rateLimitScale: 1 };
  const chat = openChat(context, { limitScale: 1 });
  const menu = await openMenuSocket(context, server, { config, chat, isOwnOrigin: () => false });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  const sockets: Socket[] = [];
  return {
    db: database.db,
    context,
    chat,
    port,
    open: async ({ address = '203.0.113.99', user, transport = 'websocket', prepare } = {}) => {
      const token = user && (await openSession(context, database.db, user.id));
      const socket = io(`http://127.0.0.1:${port}`, {
        transports: [transport],
        forceNew: true,
        reconnection: false,
        extraHeaders: {
          'x-forwarded-for': address,
          ...(token !== undefined && { cookie: `${SESSION_COOKIE}=${token}` }),
        },
      });
      sockets.push(socket);
      prepare?.(socket);
      await new Promise<void>((resolve, reject) =>
        socket.once('connect', resolve).once('connect_error', reject),
      );
      return socket;
    },
    stop: () => menu.close(),
    dispose: async () => {
      for (const socket of sockets) socket.disconnect();
      menu.close();
      server.closeAllConnections();
      server.close();
      await database.close();
    },
  };
}

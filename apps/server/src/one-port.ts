import type { RequestListener, Server } from 'node:http';
import { createNodeMatchmakingMiddleware, matchMaker } from '@colyseus/core';
import { setTransport } from '@colyseus/core/Transport';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { MENU_SOCKET_PATH } from './menu/menu-socket.ts';

/*
 * The API, the page, the menu socket and the game rooms share one http server. Colyseus takes /matchmake and every
 * WebSocket that is not the menu's; all else is the application's.
 */

/** Answers matchmaking before the application sees the request. */
export function withMatchmaking(application: RequestListener): RequestListener {
  const matchmaking = createNodeMatchmakingMiddleware();
  return (request, response) => {
    void matchmaking(request, response, () => application(request, response));
  };
}

export interface GameTransport {
  close(): Promise<void>;
}

/** Above the largest message of the protocol, far below what would hurt. */
const MAX_MESSAGE_BYTES = 4_096;

export async function attachGameTransport(server: Server): Promise<GameTransport> {
  const transport = new WebSocketTransport({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  setTransport(transport);
  transport.attachToServer(server, { filter: ({ url = '' }) => !url.startsWith(MENU_SOCKET_PATH) });
  await matchMaker.setup();
  await matchMaker.accept();
  return {
    close: async () => {
      await matchMaker.gracefullyShutdown();
      transport.shutdown();
    },
  };
}

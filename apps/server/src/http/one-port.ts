import type { RequestListener, Server } from 'node:http';
import { createNodeMatchmakingMiddleware, matchMaker } from '@colyseus/core';
import { setTransport } from '@colyseus/core/Transport';
import { WebSocketTransport } from '@colyseus/ws-transport';
import { MENU_SOCKET_PATH } from '../menu/menu-socket.ts';

/*
 * The API, the page, the menu socket and the game rooms share one http server. Colyseus takes /matchmake and every
 * WebSocket that is not the menu's; all else is the application's.
 */

/**
 * Answers matchmaking before the application sees the request. Colyseus parses the target without a net: one that is
 * no path, or a failure in there, must not end the process.
 */
export function withMatchmaking(application: RequestListener): RequestListener {
  const matchmaking = createNodeMatchmakingMiddleware();
  return (request, response) => {
    if (!isPath(request.url)) {
      response.writeHead(400).end();
    } else if (request.url.startsWith('/matchmake/')) {
      matchmaking(request, response, () => application(request, response)).catch(() => response.destroy());
    } else {
      application(request, response);
    }
  };
}

/** Stands before all other listeners: whatever none of them will take is closed, and no broken socket goes unheard. */
export function guardUpgrades(server: Server, offers: { hasMenu: boolean; hasRooms: boolean }): void {
  server.prependListener('upgrade', ({ url }, socket) => {
    socket.on('error', () => socket.destroy());
    const isTaken = isPath(url) && (isMenu(url) ? offers.hasMenu : offers.hasRooms);
    if (!isTaken) socket.destroy();
  });
}

/** `//`, `*` and `http://[` are targets too, but nobody honest asks for them. */
function isPath(url: string | undefined): url is string {
  return url?.startsWith('/') === true && URL.canParse(url, 'http://server');
}

/** The same comparison that Engine.IO makes. */
function isMenu(url: string): boolean {
  return url.startsWith(`${MENU_SOCKET_PATH}/`);
}

export type GameTransport = {
  close(): Promise<void>;
};

/** Above the largest message of the protocol, far below what would hurt. */
const MAX_MESSAGE_BYTES = 4_096;

export async function attachGameTransport(server: Server): Promise<GameTransport> {
  const transport = new WebSocketTransport({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  setTransport(transport);
  transport.attachToServer(server, { filter: ({ url }) => isPath(url) && !isMenu(url) });
  await matchMaker.setup();
  await matchMaker.accept();
  return {
    close: async () => {
      await matchMaker.gracefullyShutdown();
      transport.shutdown();
    },
  };
}

import type { IncomingMessage, RequestListener, Server } from 'node:http';
import { ECHO_PATH } from '@engulf/protocol/http/echo';
import { MENU_SOCKET_PATH } from '../menu/menu-socket.ts';

/*
 * The API, the page, the menu socket and the game rooms share one http server. The rooms take every WebSocket that is not
 * the menu's; all else is the application's.
 */

/** Refuses malformed targets and answers echoes, before the application sees them. */
export function beforeApplication(application: RequestListener): RequestListener {
  return (request, response) => {
    if (request.url === ECHO_PATH && request.method === 'GET') response.writeHead(204, ECHO_HEADERS).end();
    else if (isPath(request.url)) application(request, response);
    else response.writeHead(400).end();
  };
}

/** Says nothing, so pages of any origin may ask; the limits of all requests hold. */
const ECHO_HEADERS = { 'access-control-allow-origin': '*', 'cache-control': 'no-store' };

/** Runs before all other listeners: closes what none of them will take, and handles errors of broken sockets. */
export function guardUpgrades(server: Server, offers: { hasMenu: boolean; hasRooms: boolean }): void {
  server.prependListener('upgrade', ({ url, socket: connection }, socket) => {
    socket.on('error', () => socket.destroy());
    // No timeout from here on: the new owner watches the socket.
    connection.setTimeout(0);
    const isTaken = isPath(url) && (isMenu(url) ? offers.hasMenu : offers.hasRooms);
    if (!isTaken) socket.destroy();
  });
}

/** `//`, `*` and `http://[` are valid request targets too, but no honest client sends them. */
function isPath(url: string | undefined): url is string {
  return url?.startsWith('/') === true && URL.canParse(url, 'http://server');
}

/** The same comparison that Engine.IO makes. */
export function isMenu(url: string): boolean {
  return url.startsWith(`${MENU_SOCKET_PATH}/`);
}

/** The rooms get every WebSocket that is not the menu's. */
export function isForRooms({ url }: IncomingMessage): boolean {
  return isPath(url) && !isMenu(url);
}

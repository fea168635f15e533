import type { Lobby } from '@engulf/protocol/lobby';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { io, type Socket } from 'socket.io-client';
import { createPageClient, type PageClient } from './page-client.ts';
import { joinRoom, type RoomPlayer } from './room-player.ts';
import type { ServerProcess } from './server-process.ts';

/* What tests do with a server that runs as a process of its own. */

/** The caller disconnects it. */
export function openMenu({ url }: Pick<ServerProcess, 'url'>): Socket {
  return io(url, { transports: ['websocket'], forceNew: true });
}

export function nextEvent<Payload>(socket: Socket, event: string): Promise<Payload> {
  return new Promise((resolve) => socket.once(event, resolve));
}

export async function listLobbies(server: Pick<ServerProcess, 'url'>): Promise<Lobby[]> {
  const socket = openMenu(server);
  const list = nextEvent<unknown>(socket, 'lobby');
  socket.emit('register', 'anonymous');
  const lobbies = MENU_SERVER_EVENTS.lobby.parse(await list);
  socket.disconnect();
  return lobbies;
}

/** Signed in, with access. */
export async function newPlayer({
  url,
  accessCode,
}: Pick<ServerProcess, 'url' | 'accessCode'>): Promise<PageClient> {
  const page = await createPageClient(url);
  await page.signIn();
  await page.send('POST', '/api/referral/submit', { code: accessCode });
  return page;
}

export function openRoom(
  { url }: Pick<ServerProcess, 'url'>,
  lobbyId: string,
  joinTicket: string,
): Promise<RoomPlayer> {
  return joinRoom(url, { type: 'player', lobbyId, joinTicket });
}

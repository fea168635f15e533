import { Client } from '@colyseus/sdk';
import type { Lobby } from '@engulf/protocol/lobby';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { joinOptionsSchema, ROOM_NAME } from '@engulf/protocol/room/join-options';
import { PROTOCOL_VERSION } from '@engulf/protocol/version';
import { io, type Socket } from 'socket.io-client';
import { createPageClient, type PageClient } from './page-client.ts';
import type { ServerProcess } from './server-process.ts';

/* What tests do with a server that runs as a process of its own. */

/** The caller disconnects it. */
export function openMenu({ url }: ServerProcess): Socket {
  return io(url, { transports: ['websocket'], forceNew: true });
}

export function nextEvent<Payload>(socket: Socket, event: string): Promise<Payload> {
  return new Promise((resolve) => socket.once(event, resolve));
}

export async function listLobbies(server: ServerProcess): Promise<Lobby[]> {
  const socket = openMenu(server);
  const list = nextEvent<unknown>(socket, 'lobby');
  socket.emit('register', 'anonymous');
  const lobbies = MENU_SERVER_EVENTS.lobby.parse(await list);
  socket.disconnect();
  return lobbies;
}

/** Signed in, with access. */
export async function newPlayer({ url, accessCode }: ServerProcess): Promise<PageClient> {
  const page = await createPageClient(url);
  await page.signIn();
  await page.send('POST', '/api/referral/submit', { code: accessCode });
  return page;
}

export async function openRoom({ url }: ServerProcess, lobbyId: string, joinTicket: string) {
  const options = joinOptionsSchema.parse({
    type: 'player',
    lobbyId,
    joinTicket,
    protocolVersion: PROTOCOL_VERSION,
  });
  const room = await new Client(url).joinOrCreate(ROOM_NAME, options);
  room.onMessage('*', () => undefined);
  return room;
}

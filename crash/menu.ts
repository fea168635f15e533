import type { Lobby } from '@engulf/protocol/lobby';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { io } from 'socket.io-client';

/** The lobbies as the menu lists them, as soon as a server answers. */
export async function listLobbies(url: string): Promise<Lobby[]> {
  const socket = io(url, { transports: ['websocket'] });
  socket.on('connect', () => socket.emit('register', 'anonymous'));
  const list = await new Promise<unknown>((resolve) => socket.once('lobby', resolve));
  socket.disconnect();
  return MENU_SERVER_EVENTS.lobby.parse(list);
}

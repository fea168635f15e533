import type { Lobby } from '@engulf/protocol/lobby';
import { MENU_SERVER_EVENTS } from '@engulf/protocol/menu/events';
import { io } from 'socket.io-client';

/** A server that was killed is back long before. */
const ANSWERS_WITHIN_MS = 120_000;

/** The lobbies as the menu lists them, as soon as a server answers. */
export async function listLobbies(url: string): Promise<Lobby[]> {
  const socket = io(url, { transports: ['websocket'] });
  let problem = 'no answer';
  socket.on('connect_error', ({ message }) => {
    problem = message;
  });
  socket.on('connect', () => socket.emit('register', 'anonymous'));
  try {
    const list = await new Promise<unknown>((resolve, reject) => {
      socket.once('lobby', resolve);
      const giveUp = () => reject(new Error(`The menu at ${url} cannot be reached: ${problem}`));
      setTimeout(giveUp, ANSWERS_WITHIN_MS).unref();
    });
    return MENU_SERVER_EVENTS.lobby.parse(list);
  } finally {
    socket.disconnect();
  }
}

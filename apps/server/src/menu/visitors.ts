import type { UserId } from '@engulf/domain/ids/entity-ids';
import { findSessionUser, readSessionToken } from '../accounts/sessions.ts';
import { readSessionConflict } from '../entries/session-warning.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import type { MenuClient, MenuServer } from './menu-events.ts';

/** Which sockets belong to which user, as the session cookie of each says. */
export type Visitors = {
  /** Whether there is a session cookie, which may be anything. */
  hasCookie(socket: MenuClient): boolean;
  welcome(socket: MenuClient): Promise<void>;
  /** The user behind the socket now: a session may have ended since the socket was opened. */
  identify(socket: MenuClient): Promise<UserRow | undefined>;
  userIds(): UserId[];
  /** All windows of a user. */
  windowsOf(userId: UserId): ReturnType<MenuServer['to']>;
};

const PREFIX = 'user ';

export function createVisitors(context: Context, io: MenuServer): Visitors {
  const roomOf = (userId: UserId) => PREFIX + userId;
  const { rooms } = io.of('/').adapter;
  const tokenOf = (socket: MenuClient) => readSessionToken(socket.request.headers.cookie);
  const identify = async (socket: MenuClient) => {
    const token = tokenOf(socket);
    return token === undefined ? undefined : findSessionUser(context, token);
  };
  return {
    hasCookie: (socket) => tokenOf(socket) !== undefined,
    identify,
    welcome: async (socket) => {
      const user = await identify(socket);
      if (!user || !socket.connected) return;
      const isSecondWindow = rooms.has(roomOf(user.id));
      await socket.join(roomOf(user.id));
      const conflict = isSecondWindow ? await readSessionConflict(context, user.id) : undefined;
      if (conflict) socket.emit('session_warning', conflict);
    },
    userIds: () =>
      [...rooms.keys()].flatMap((room) =>
        room.startsWith(PREFIX) ? [room.slice(PREFIX.length) as UserId] : [],
      ),
    windowsOf: (userId) => io.to(roomOf(userId)),
  };
}

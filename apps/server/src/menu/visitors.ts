import type { UserId } from '@engulf/domain/ids/entity-ids';
import { findSessionUsers, readSessionToken } from '../accounts/sessions.ts';
import { readSessionConflicts } from '../entries/session-warning.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { gatherCalls } from '../platform/gather.ts';
import type { MenuClient, MenuServer } from './menu-events.ts';

/** Which sockets belong to which user, as the session cookie of each says. */
export type Visitors = {
  /** Whether there is a session cookie, valid or not. */
  hasCookie(socket: MenuClient): boolean;
  /** Tells the window of a match or a payment of its user. It may be its own, which the page knows. */
  welcome(socket: MenuClient): Promise<void>;
  /** The socket's current user: the session may have ended since the socket was opened. */
  identify(socket: MenuClient): Promise<UserRow | undefined>;
  userIds(): UserId[];
  /** All windows of a user. */
  windowsOf(userId: UserId): ReturnType<MenuServer['to']>;
};

const PREFIX = 'user ';
/** Every chat message needs a lookup, and so do all visitors who reconnect after a restart. */
const LOOK_UPS = { perSecond: 3, burst: 5 } as const;

export function createVisitors(
  context: Pick<Context, 'db' | 'presence' | 'nowMs'>,
  io: MenuServer,
): Visitors {
  const roomOf = (id: UserId) => PREFIX + id;
  const { rooms } = io.of('/').adapter;
  const tokenOf = (socket: MenuClient) => readSessionToken(socket.request.headers.cookie);
  const findUser = gatherCalls(LOOK_UPS, (tokens: readonly string[]) => findSessionUsers(context, tokens));
  const findConflict = gatherCalls(LOOK_UPS, (ids: readonly UserId[]) => readSessionConflicts(context, ids));
  const identify = async (socket: MenuClient) => {
    const token = tokenOf(socket);
    return token === undefined ? undefined : findUser(token);
  };
  return {
    hasCookie: (socket) => tokenOf(socket) !== undefined,
    identify,
    welcome: async (socket) => {
      const user = await identify(socket);
      if (!user || !socket.connected) return;
      await socket.join(roomOf(user.id));
      const conflict = await findConflict(user.id);
      if (conflict) socket.emit('session_warning', conflict);
    },
    userIds: () =>
      [...rooms.keys()].flatMap((room) =>
        room.startsWith(PREFIX) ? [room.slice(PREFIX.length) as UserId] : [],
      ),
    windowsOf: (id) => io.to(roomOf(id)),
  };
}

import { type UserId, userId } from '@engulf/domain/ids/entity-ids';
import { z } from 'zod';
import { findSessionUsers, readSessionToken } from '../accounts/sessions.ts';
import { readSessionConflict } from '../entries/session-warning.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import type { Topic } from '../platform/fleet/bus.ts';
import { gatherCalls } from '../platform/gather.ts';
import type { MenuClient, MenuServer } from './menu-events.ts';

/** Which sockets belong to which user, as the session cookie of each says. */
export type Visitors = {
  /** Whether there is a session cookie, valid or not. */
  hasCookie(socket: MenuClient): boolean;
  welcome(socket: MenuClient): Promise<void>;
  /** The socket's current user: the session may have ended since the socket was opened. */
  identify(socket: MenuClient): Promise<UserRow | undefined>;
  userIds(): UserId[];
  /** All windows of a user. */
  windowsOf(userId: UserId): ReturnType<MenuServer['to']>;
  close(): void;
};

/** A window was opened, and the answer of a process in which its user has another. */
type WindowEvent = {
  readonly kind: 'opened' | 'hasAnother';
  readonly userId: UserId;
  readonly socketId: string;
};

const WINDOWS: Topic<WindowEvent> = {
  name: 'windows',
  schema: z.object({
    kind: z.enum(['opened', 'hasAnother']),
    userId: z.uuid().transform(userId),
    socketId: z.string().max(100),
  }),
};

const PREFIX = 'user ';
/** Every chat message needs a lookup, and so do all visitors who reconnect after a restart. */
const LOOK_UPS = { perSecond: 3, burst: 5 } as const;

export function createVisitors(context: Context, io: MenuServer): Visitors {
  const roomOf = (id: UserId) => PREFIX + id;
  const { bus, logger } = context;
  const { adapter, sockets } = io.of('/');
  const { rooms } = adapter;
  const tokenOf = (socket: MenuClient) => readSessionToken(socket.request.headers.cookie);
  const findUser = gatherCalls(LOOK_UPS, (tokens: readonly string[]) => findSessionUsers(context, tokens));
  const identify = async (socket: MenuClient) => {
    const token = tokenOf(socket);
    return token === undefined ? undefined : findUser(token);
  };
  const warn = async (socket: MenuClient, id: UserId) => {
    const conflict = await readSessionConflict(context, id);
    if (conflict) socket.emit('session_warning', conflict);
  };
  const stopFollowing = bus.follow(WINDOWS, (event) => {
    const socket = sockets.get(event.socketId);
    if (event.kind === 'opened') {
      if (!socket && rooms.has(roomOf(event.userId))) bus.publish(WINDOWS, { ...event, kind: 'hasAnother' });
    } else if (socket) {
      warn(socket, event.userId).catch((error: unknown) =>
        logger.error({ code: 'VISITOR_NOT_WARNED', err: error }, 'a visitor could not be warned'),
      );
    }
  });
  return {
    hasCookie: (socket) => tokenOf(socket) !== undefined,
    identify,
    welcome: async (socket) => {
      const user = await identify(socket);
      if (!user || !socket.connected) return;
      const isSecondWindow = rooms.has(roomOf(user.id));
      await socket.join(roomOf(user.id));
      if (isSecondWindow) await warn(socket, user.id);
      else bus.publish(WINDOWS, { kind: 'opened', userId: user.id, socketId: socket.id });
    },
    userIds: () =>
      [...rooms.keys()].flatMap((room) =>
        room.startsWith(PREFIX) ? [room.slice(PREFIX.length) as UserId] : [],
      ),
    windowsOf: (id) => io.to(roomOf(id)),
    close: stopFollowing,
  };
}

import { z } from 'zod';
import { chatErrorSchema, chatHistoryPageSchema, chatMessageSchema, GLOBAL_CHANNEL } from '../chat.ts';
import { lobbySchema, lobbyUpdateSchema } from '../lobby.ts';
import { sessionConflictSchema } from '../session-conflict.ts';
import type { MessageLimit } from '../token-bucket.ts';
import { rankSchema, rowIdSchema, walletAddressSchema } from '../wire-values.ts';
import { menuLeaderboardSchema } from './leaderboard.ts';

const nothing = z.undefined();

/** What the page may emit on the menu socket. */
export const MENU_CLIENT_EVENTS = {
  /** Asks for the lobby list. The payload is not trusted: identity comes from the session cookie. */
  register: {
    payload: z.union([walletAddressSchema, z.literal('anonymous')]),
    limit: { perSecond: 1, burst: 5 },
  },
  'get:leaderboard:1d': { payload: nothing, limit: { perSecond: 1, burst: 5 } },
  'get:leaderboard:7d': { payload: nothing, limit: { perSecond: 1, burst: 5 } },
  'get:leaderboard:30d': { payload: nothing, limit: { perSecond: 1, burst: 5 } },
  /** Whatever else the message claims, its author, picture and time are the server's to say. */
  'lobby:chat:send': {
    payload: z.object({ message: z.string().max(2_000), lobbyId: rowIdSchema.default(GLOBAL_CHANNEL) }),
    limit: { perSecond: 2, burst: 20 },
  },
  /** Answered with `chat:history`. */
  'chat:getHistory': {
    payload: z
      .object({
        lobbyId: rowIdSchema.default(GLOBAL_CHANNEL),
        page: z.int().min(1).max(10_000).default(1),
      })
      .prefault({}),
    limit: { perSecond: 1, burst: 10 },
  },
} as const satisfies { readonly [event: string]: { payload: z.ZodType; limit: MessageLimit } };

/** What the server sends on the menu socket. */
export const MENU_SERVER_EVENTS = {
  lobby: z.array(lobbySchema),
  lobby_update: lobbyUpdateSchema,
  'leaderboard:1d': menuLeaderboardSchema,
  'leaderboard:7d': menuLeaderboardSchema,
  'leaderboard:30d': menuLeaderboardSchema,
  /** What a user wrote. */
  'lobby:chat:message': chatMessageSchema,
  /** What the server says to everyone in a channel. */
  'chat:message': chatMessageSchema,
  'chat:history': chatHistoryPageSchema,
  /** Messages of the channel were removed: the page should load its history again. */
  'chat:getHistory': z.object({ lobbyId: rowIdSchema }),
  'chat:error': chatErrorSchema,
  'profile:update': z.object({
    multiplier: z.number().nonnegative(),
    name: z.string(),
    avatarUrl: z.string().nullable(),
    rank: rankSchema.nullable(),
  }),
  /** A payment of this user is decided: the page should ask for its status. */
  'payment:update': z.object({ paymentSessionId: rowIdSchema }),
  game_ended: z.object({ message: z.string() }),
  session_warning: sessionConflictSchema,
} as const satisfies { readonly [event: string]: z.ZodType };

/** The two event maps as Socket.IO's types expect them. */
export type MenuClientToServer = {
  [Event in keyof typeof MENU_CLIENT_EVENTS]: Listener<
    z.input<(typeof MENU_CLIENT_EVENTS)[Event]['payload']>
  >;
};
export type MenuServerToClient = {
  [Event in keyof typeof MENU_SERVER_EVENTS]: Listener<z.infer<(typeof MENU_SERVER_EVENTS)[Event]>>;
};

type Listener<Payload> = undefined extends Payload ? () => void : (payload: Payload) => void;

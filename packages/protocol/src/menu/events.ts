import { z } from 'zod';
import { chatErrorSchema, chatHistoryPageSchema, chatMessageSchema, GLOBAL_CHANNEL } from '../chat.ts';
import { lobbySchema, lobbyUpdateSchema } from '../lobby.ts';
import { sessionConflictSchema } from '../session-conflict.ts';
import type { MessageLimit } from '../token-bucket.ts';
import { rankSchema, rowIdSchema, timestampMsSchema, walletAddressSchema } from '../wire-values.ts';
import { menuLeaderboardSchema } from './leaderboard.ts';

const askForLeaderboard = z.undefined().describe('Answered with the leaderboard of that time.');

/** What the page may emit on the menu socket. */
export const MENU_CLIENT_EVENTS = {
  register: {
    payload: z
      .union([walletAddressSchema, z.literal('anonymous')])
      .describe('Asks for the lobby list. Claims nothing: identity comes from the session cookie.'),
    limit: { perSecond: 1, burst: 5 },
  },
  'get:leaderboard:1d': { payload: askForLeaderboard, limit: { perSecond: 1, burst: 5 } },
  'get:leaderboard:7d': { payload: askForLeaderboard, limit: { perSecond: 1, burst: 5 } },
  'get:leaderboard:30d': { payload: askForLeaderboard, limit: { perSecond: 1, burst: 5 } },
  'lobby:chat:send': {
    payload: z
      .object({ message: z.string().max(2_000), lobbyId: rowIdSchema.default(GLOBAL_CHANNEL) })
      .describe("Writes a line. Its author, picture and time are the server's to say."),
    limit: { perSecond: 2, burst: 20 },
  },
  'chat:getHistory': {
    payload: z
      .object({
        lobbyId: rowIdSchema.default(GLOBAL_CHANNEL),
        page: z.int().min(1).max(10_000).default(1),
      })
      .prefault({})
      .describe('Answered with chat:history.'),
    limit: { perSecond: 1, burst: 10 },
  },
} as const satisfies { readonly [event: string]: { payload: z.ZodType; limit: MessageLimit } };

const leaderboard = menuLeaderboardSchema.describe('Once asked for, sent again when it changes.');

/** What the server sends on the menu socket. */
export const MENU_SERVER_EVENTS = {
  lobby: z
    .array(lobbySchema)
    .describe('All lobbies: when asked for, and when an operator has changed something in them.'),
  lobby_update: lobbyUpdateSchema.describe('How a lobby stands now.'),
  'leaderboard:1d': leaderboard,
  'leaderboard:7d': leaderboard,
  'leaderboard:30d': leaderboard,
  'lobby:chat:message': chatMessageSchema.describe('What a user wrote.'),
  'chat:message': chatMessageSchema.describe('What the server says to everyone in a channel.'),
  'chat:history': chatHistoryPageSchema.describe('A page of the history.'),
  'chat:getHistory': z
    .object({ lobbyId: rowIdSchema })
    .describe('Messages of the channel were removed: load its history again.'),
  'chat:error': chatErrorSchema.describe('Why a message was not sent.'),
  'profile:update': z
    .object({
      multiplier: z.number().nonnegative(),
      name: z.string(),
      avatarUrl: z.string().nullable(),
      colour: z.int().nonnegative().nullable().default(null),
      rank: rankSchema.nullable(),
    })
    .describe('The profile of the signed-in user has changed.'),
  'payment:update': z
    .object({ paymentSessionId: rowIdSchema })
    .describe('A payment of this user is decided: ask for its status.'),
  gathering: z
    .discriminatedUnion('state', [
      z.object({ state: z.literal('waiting'), lobbyId: rowIdSchema }),
      z.object({ state: z.literal('called'), lobbyId: rowIdSchema, endsAtMs: timestampMsSchema }),
      z.object({ state: z.literal('away') }),
    ])
    .describe('This user gathers players: sent every second or so meanwhile, and once when it is over.'),
  game_ended: z.object({ message: z.string() }).describe('An admin has kicked the user.'),
  session_warning: sessionConflictSchema.describe('Another window of the user plays or pays.'),
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

import { z } from 'zod';
import { countSchema, rankSchema, rowIdSchema, sha256Schema, timestampMsSchema } from '../wire-values.ts';
import { ROOM_CHAT_SERVER_MESSAGES } from './chat-messages.ts';
import {
  leaderboardChangeSchema,
  population,
  rewardSchema as reward,
  roomLeaderboardSchema,
} from './room-leaderboard.ts';

/** The message types that carry the netcode's bytes. */
export const STATE_MESSAGES = {
  player: { full: 'gameUpdate', delta: 'deltaUpdate' },
  /** `update` is a snapshot that other spectators asked for, sent to those who are in sync. */
  spectator: { full: 'spectatorFullUpdate', update: 'spectatorUpdate', delta: 'spectatorDeltaUpdate' },
} as const;

export type StateMessageType =
  | (typeof STATE_MESSAGES.player)['full' | 'delta']
  | (typeof STATE_MESSAGES.spectator)['full' | 'update' | 'delta'];

export const STATE_NUMBERS: { readonly [Type in StateMessageType]: number } = {
  deltaUpdate: 0,
  gameUpdate: 1,
  spectatorDeltaUpdate: 2,
  spectatorFullUpdate: 3,
  spectatorUpdate: 4,
};

/** Why a socket was closed, by either side. */
export const CLOSE_CODES = {
  /** The client leaves for good; or the room closes, after the end of its match. */
  left: 4000,
  /** The client was kicked, or did what no client of ours does. A message before it says why. */
  kicked: 4002,
  /** The first frame was refused. An `error` before it says why. */
  refused: 4003,
  /** The server stops. */
  shutdown: 4001,
} as const;

/** With this close code, which is none at all, the client returns to the menu at once. */
export const LEAVE_TO_MENU_CLOSE_CODE = 1005;

export const ROOM_LEADERBOARD_ROWS = 8;

/**
 * Where money is at stake, spectators see the arena too late to help a player. Must stay below the silence after
 * which a spectator's client gives up.
 */
export const PAID_SPECTATOR_DELAY_SECONDS = 10;

const playerEvent = z.object({ name: z.string(), isBot: z.boolean(), ...population });

const feedLine = { timestamp: timestampMsSchema, message: z.string().optional() };

/** One line of the live feed. Amounts are texts for people. */
const feedLineSchema = z.discriminatedUnion('type', [
  z.object({
    type: z.literal('kill'),
    killerName: z.string(),
    victimName: z.string(),
    reward: z.string(),
    ...feedLine,
  }),
  z.object({
    type: z.literal('cashout'),
    playerName: z.string(),
    amount: z.string(),
    /** Null while no price is known. */
    usdValue: z.string().nullable(),
    ...feedLine,
  }),
  z.object({ type: z.literal('disconnect'), playerName: z.string(), ...feedLine }),
  z.object({ type: z.literal('join'), playerName: z.string(), ...feedLine }),
  z.object({ type: z.literal('lobby_opened'), ...feedLine }),
  z.object({ type: z.literal('lobby_closing'), minutesRemaining: z.number().nonnegative(), ...feedLine }),
  z.object({ type: z.literal('lobby_closed'), ...feedLine }),
]);

export type ServerMessage = {
  /** The first byte of its frame. Never given to another message. */
  readonly number: number;
  readonly payload: z.ZodType;
};

/** Everything that a room sends besides the state of the arena, whose messages have the numbers 0 to 4. */
export const ROOM_SERVER_MESSAGES = {
  /** The answer to `join` and `resume`, and to the `spawn` that enters the arena. */
  welcome: {
    number: 5,
    payload: z.object({
      /** Before it has spawned, and for a spectator, a player without a body: its id and mass are 0. */
      player: z.object({
        /** As in the updates of the arena. */
        id: countSchema,
        name: z.string(),
        x: z.number(),
        y: z.number(),
        massTotal: z.number().nonnegative(),
        reward,
        admin: z.boolean(),
      }),
      /** The match, and the hash of its secret: with these the match can be checked after its end. */
      matchId: rowIdSchema,
      commitment: sha256Schema,
      worldSize: z.number().positive(),
      ticksPerSecond: z.number().positive(),
      isFreeLobby: z.boolean(),
      /** Whether the room takes `f4Testing`. */
      isTesting: z.boolean(),
      tokenSymbol: z.string(),
      /** The player's game, as the history of games lists it; missing for a spectator. */
      gameId: rowIdSchema.optional(),
      /** For `resume`. */
      resumeToken: z.string().optional(),
    }),
  },
  /** What was asked for is refused: by its name, the code of the error and the text for people. */
  error: {
    number: 6,
    payload: z.object({ code: z.string(), message: z.string(), about: z.string().optional() }),
  },
  leaderboard: { number: 7, payload: roomLeaderboardSchema },
  /** Becomes a `leaderboard` where it is read. */
  leaderboardChange: { number: 8, payload: leaderboardChangeSchema },
  personalRank: { number: 9, payload: z.object({ rank: rankSchema, reward }) },
  /** To the killer. */
  KO: {
    number: 10,
    payload: z.object({
      victim: z.string(),
      killType: z.literal('eaten'),
      reward,
      timestamp: timestampMsSchema,
    }),
  },
  /**
   * The player's game is over and settled. Any cause other than 'portal' and 'closed' is a loss or a refund.
   */
  gameOver: {
    number: 11,
    payload: z.object({
      stats: z.object({
        reward,
        finalMass: z.number().nonnegative(),
        /** For people; null while no price is known. */
        usdValue: z.string().nullable(),
      }),
      cause: z.enum(['portal', 'eaten', 'disconnected', 'closed', 'fault', 'unknown']),
      /** The name of whoever ate the player; null for any other cause. */
      killer: z.string().nullable(),
    }),
  },
  pong: { number: 12, payload: z.object({ id: z.int().nonnegative() }) },
  kicked: { number: 13, payload: z.object({ reason: z.string() }) },
  serverMessage: { number: 14, payload: z.object({ message: z.string() }) },
  /** Once a second at most: the latest to come or go, and how many are left. */
  playerJoin: { number: 15, payload: playerEvent },
  playerDisconnect: { number: 16, payload: playerEvent },
  ...ROOM_CHAT_SERVER_MESSAGES,
  /** The new lines of the feed, oldest first, gathered for up to a second. */
  liveUpdate: { number: 23, payload: z.array(feedLineSchema) },
  /** The match continues in another process: join there, or ask where it is. */
  matchMoved: {
    number: 24,
    payload: z.object({ joinTicket: z.string().optional(), baseGame: z.string().nullable().optional() }),
  },
} as const satisfies { readonly [type: string]: ServerMessage };

export type RoomServerMessageType = keyof typeof ROOM_SERVER_MESSAGES;
export type RoomServerPayload<Type extends RoomServerMessageType> = z.infer<
  (typeof ROOM_SERVER_MESSAGES)[Type]['payload']
>;

export type LiveUpdate = z.infer<typeof feedLineSchema>;

export const LIVE_FEED_LENGTH = 6;

/** Appends to a list that keeps only its latest entries. */
export function appendLatest<Entry>(list: readonly Entry[], entry: Entry, keep: number): readonly Entry[] {
  return [...list, entry].slice(-keep);
}

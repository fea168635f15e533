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

/** With this close code the client returns to the menu at once. */
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

/** Everything that a room sends besides the state of the arena. */
export const ROOM_SERVER_MESSAGES = {
  welcome: z.object({
    /** Null for a spectator, and for a player that has not spawned yet. */
    player: z
      .object({
        /** As in the netcode's player table. */
        id: countSchema,
        name: z.string(),
        x: z.number(),
        y: z.number(),
        massTotal: z.number().positive(),
        reward,
        admin: z.boolean(),
      })
      .nullable(),
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
  }),
  leaderboard: roomLeaderboardSchema,
  personalRank: z.object({ rank: rankSchema, reward }),
  /** To the killer. */
  KO: z.object({
    victim: z.string(),
    killType: z.literal('eaten'),
    reward,
    timestamp: timestampMsSchema,
  }),
  /**
   * The player's game is over and settled. Any cause other than 'portal' and 'closed' is a loss or a refund.
   */
  gameOver: z.object({
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
  pong: z.object({ id: z.int().nonnegative() }),
  kicked: z.object({ reason: z.string() }),
  serverMessage: z.object({ message: z.string() }),
  /** Once a second at most: the latest to come or go, and how many are left. */
  playerJoin: playerEvent,
  playerDisconnect: playerEvent,
  /** The new lines of the feed, oldest first, gathered for up to a second. */
  liveUpdate: z.array(feedLineSchema),
  ...ROOM_CHAT_SERVER_MESSAGES,
  /** The match continues in another process: join there, or ask where it is. */
  matchMoved: z.object({ joinTicket: z.string().optional(), baseGame: z.string().nullable().optional() }),
  /** Becomes a `leaderboard` where it is read. */
  leaderboardChange: leaderboardChangeSchema,
  /** The answer to `playAgain`: null, and the welcome follows, or the code of an error. */
  nextSeat: z.object({ error: z.string().nullable() }),
} as const satisfies { readonly [type: string]: z.ZodType };

export type RoomServerMessageType = keyof typeof ROOM_SERVER_MESSAGES;
export type RoomServerPayload<Type extends RoomServerMessageType> = z.infer<
  (typeof ROOM_SERVER_MESSAGES)[Type]
>;

export type LiveUpdate = z.infer<typeof feedLineSchema>;

export const LIVE_FEED_LENGTH = 6;

/** Appends to a list that keeps only its latest entries. */
export function appendLatest<Entry>(list: readonly Entry[], entry: Entry, keep: number): readonly Entry[] {
  return [...list, entry].slice(-keep);
}

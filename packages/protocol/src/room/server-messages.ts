import { z } from 'zod';
import { countSchema, rankSchema, rowIdSchema, sha256Schema, timestampMsSchema } from '../wire-values.ts';
import { ROOM_CHAT_SERVER_MESSAGES } from './chat-messages.ts';
import { hexBytes } from './hex-bytes.ts';
import { RECEIPT_MESSAGE } from './receipt-message.ts';
import {
  leaderboardChangeSchema,
  population,
  rewardSchema as reward,
  roomLeaderboardSchema,
} from './room-leaderboard.ts';

/** Why a socket was closed, by either side. */
export const CLOSE_CODES = {
  /** The client leaves for good; or its game, its match or this room of it is over. */
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
  welcome: {
    number: 5,
    payload: z
      .object({
        player: z
          .object({
            id: countSchema.describe('As in the updates of the arena'),
            name: z.string(),
            x: z.number().describe('World units'),
            y: z.number().describe('World units'),
            massTotal: z.number().nonnegative(),
            reward,
            admin: z.boolean(),
          })
          .describe('Before it has spawned, and for a spectator, without a body: its id and mass are 0'),
        matchId: rowIdSchema,
        commitment: sha256Schema.describe(
          'Of the secret of the match, with which it can be checked after its end',
        ),
        worldSize: z.number().positive().describe('World units'),
        ticksPerSecond: z.number().positive(),
        isFreeLobby: z.boolean(),
        isTesting: z.boolean().describe('Whether the room takes f4Testing'),
        tokenSymbol: z.string(),
        gameId: rowIdSchema.optional().describe("The player's game, as the history of games lists it"),
        inputsKey: hexBytes(32)
          .optional()
          .describe('The Ed25519 key that the payment names, for confirmInputs'),
        resumeToken: z.string().optional().describe('For resume. Missing where it is the same as before'),
      })
      .describe('The answer to join and resume, and to the spawn that enters the arena.'),
  },
  error: {
    number: 6,
    payload: z
      .object({
        code: z.string(),
        message: z.string().describe('For people'),
        about: z.string().optional().describe('The message that is refused'),
      })
      .describe('What was asked for is refused. After a refused first frame the socket is closed.'),
  },
  leaderboard: {
    number: 7,
    payload: roomLeaderboardSchema.describe(
      'The eight with the largest bounties, once a second if it changes. In free lobbies the heaviest, every two seconds, and a reward is the mass to two digits.',
    ),
  },
  leaderboardChange: {
    number: 8,
    payload: leaderboardChangeSchema.describe(
      'Turns the leaderboard before into the next. Compact clients only.',
    ),
  },
  personalRank: {
    number: 9,
    payload: z.object({ rank: rankSchema, reward }).describe("The reader's own rank."),
  },
  KO: {
    number: 10,
    payload: z
      .object({ victim: z.string(), killType: z.literal('eaten'), reward, timestamp: timestampMsSchema })
      .describe('The reader has eaten the last cell of somebody.'),
  },
  gameOver: {
    number: 11,
    payload: z
      .object({
        stats: z.object({
          reward,
          finalMass: z.number().nonnegative(),
          usdValue: z.string().nullable().describe('For people; null while no price is known'),
        }),
        cause: z
          .enum(['portal', 'eaten', 'disconnected', 'closed', 'fault', 'unknown'])
          .describe(
            'portal is a cash-out, closed returns the whole bounty, all others are a loss or a refund',
          ),
        killer: z.string().nullable().describe('Who ate the player'),
      })
      .describe(
        "The reader's game is over and settled. Half a minute later the socket is closed, unless it joins again.",
      ),
  },
  pong: { number: 12, payload: z.object({ id: z.int().nonnegative() }).describe('The answer to ping.') },
  kicked: {
    number: 13,
    payload: z.object({ reason: z.string() }).describe('The connection ends, for this reason.'),
  },
  serverMessage: {
    number: 14,
    payload: z.object({ message: z.string() }).describe('A notice to everybody.'),
  },
  playerJoin: {
    number: 15,
    payload: playerEvent.describe('The latest to come, once a second at most, and how many there are.'),
  },
  playerDisconnect: {
    number: 16,
    payload: playerEvent.describe('The latest to go, once a second at most, and how many are left.'),
  },
  ...ROOM_CHAT_SERVER_MESSAGES,
  liveUpdate: {
    number: 23,
    payload: z
      .array(feedLineSchema)
      .describe('The new lines of the live feed, oldest first. Text clients get a message for each line.'),
  },
  matchMoved: {
    number: 24,
    payload: z
      .object({ joinTicket: z.string().optional(), baseGame: z.string().nullable().optional() })
      .describe('The match continues in another process: join there with the ticket, or ask where it is.'),
  },
  receipt: RECEIPT_MESSAGE,
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

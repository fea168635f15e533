import { z } from 'zod';
import type { MessageLimit } from '../token-bucket.ts';
import { countSchema } from '../wire-values.ts';
import {
  type Codec,
  movementBytes,
  PING_PADDING_LENGTH,
  pingBytes,
  pressBytes,
  roundPointer,
} from './byte-messages.ts';
import { ROOM_CHAT_CLIENT_MESSAGES } from './chat-messages.ts';
import { CONNECTION_QUALITIES } from './connection-quality.ts';
import { hexBytes } from './hex-bytes.ts';

/*
 * Everything that a client may send to its room, once it has joined. An entry says all there is to say of a message; the
 * room's handler for it stands under the same name. Fields that we do not know are ignored.
 */

/** A tester is a player who may ask for mass. */
export type Role = 'player' | 'tester' | 'spectator';

export type ClientMessage = {
  /** The first byte of its frame. Never given to another message. */
  readonly number: number;
  readonly payload: z.ZodType;
  /** How the payload is written in bytes. Without it, it is JSON. */
  // biome-ignore lint/suspicious/noExplicitAny: each message has its own.
  readonly bytes?: Codec<any>;
  readonly limit: MessageLimit;
  readonly from: readonly Role[];
};

const MAX_SCREEN_PX = 16_384;
/** A client sends the pointer at most this often, which stays below the limit of `movement`. */
export const MIN_MOVEMENT_GAP_MS = 50;

const PLAYERS = ['player', 'tester'] as const;
const EVERYONE = ['player', 'tester', 'spectator'] as const;

const screenSide = z.number().min(1).max(MAX_SCREEN_PX).describe('Pixels');
const offset = z
  .number()
  .transform(roundPointer)
  .describe('World units from the centre of the screen; positive is right and down');
const seq = z
  .int()
  .min(0)
  .max(255)
  .default(0)
  .describe('Numbers the inputs, so that the page can tell which of them an update includes');

export const ROOM_CLIENT_MESSAGES = {
  spawn: {
    number: 2,
    payload: z
      .object({
        name: z.string().max(64).nullish().describe("Ignored: the name is the ticket's user's"),
        screenWidth: screenSide,
        screenHeight: screenSide,
      })
      .describe(
        'Enters the arena. Sent again, it changes the shape of the screen, which decides what is in view.',
      ),
    limit: { perSecond: 1, burst: 3 },
    from: PLAYERS,
  },
  movement: {
    number: 3,
    payload: z.object({ x: offset, y: offset, seq }).describe('Where the pointer is.'),
    bytes: movementBytes,
    limit: { perSecond: 25, burst: 25 },
    from: PLAYERS,
  },
  split: {
    number: 4,
    payload: z.object({ seq }).describe('Splits the cells towards the pointer.'),
    bytes: pressBytes,
    limit: { perSecond: 8, burst: 8 },
    from: PLAYERS,
  },
  ejectMass: {
    number: 5,
    payload: z.object({ seq }).describe('Throws some mass towards the pointer.'),
    bytes: pressBytes,
    limit: { perSecond: 12, burst: 12 },
    from: PLAYERS,
  },
  ping: {
    number: 6,
    payload: z
      .object({
        id: z.int().nonnegative(),
        timestamp: z.number().nonnegative(),
        data: z
          .string()
          .max(PING_PADDING_LENGTH)
          .default('')
          .describe('Pads a ping to the size of an update'),
      })
      .describe('Answered with pong.'),
    bytes: pingBytes,
    limit: { perSecond: 1, burst: 5 },
    from: EVERYONE,
  },
  fullUpdate: {
    number: 7,
    payload: z.object({}).describe('Asks for a full snapshot, after a delta could not be applied.'),
    limit: { perSecond: 1, burst: 3 },
    from: EVERYONE,
  },
  f4Testing: {
    number: 8,
    payload: z
      .object({})
      .describe('More mass, for trying things out: only in free lobbies, never in production.'),
    limit: { perSecond: 4, burst: 8 },
    from: ['tester'],
  },
  ...ROOM_CHAT_CLIENT_MESSAGES,
  quality: {
    number: 13,
    payload: z
      .object({ level: z.enum(CONNECTION_QUALITIES) })
      .describe('What the connection can carry: the room sends no more.'),
    limit: { perSecond: 1, burst: 3 },
    from: PLAYERS,
  },
  confirmInputs: {
    number: 16,
    payload: z
      .object({
        from: countSchema.describe('The tick of the first of the updates that this is about'),
        to: countSchema.describe('Of the last: the newest that was seen. At most 1000 later'),
        seen: z
          .string()
          .regex(/^([0-9a-f]{2}){1,125}$/)
          .describe('A bit for each tick after the first, the lowest first: whether its update was seen'),
        delayTicks: z
          .int()
          .min(0)
          .max(255)
          .describe(
            'From the newest tick that was seen when an input was sent to the one with it: the median',
          ),
        signature: hexBytes(64).describe('Ed25519, by the inputsKey of the welcome'),
      })
      .describe(
        'What the player says that it did, for the recording (docs/recording-format.md). Only where money is at stake, every 30 s; nothing in the match depends on it.',
      ),
    limit: { perSecond: 0.5, burst: 4 },
    from: PLAYERS,
  },
} as const satisfies { readonly [type: string]: ClientMessage };

export type RoomClientMessageType = keyof typeof ROOM_CLIENT_MESSAGES;
export type RoomClientPayload<Type extends RoomClientMessageType> = z.output<
  (typeof ROOM_CLIENT_MESSAGES)[Type]['payload']
>;

export type ParsedMessage = {
  [Type in RoomClientMessageType]: { readonly type: Type; readonly payload: RoomClientPayload<Type> };
}[RoomClientMessageType];

/** Undefined for a body that is not one of its type: bytes of a binary frame, or the object of a text frame. */
export function parseClientMessage(type: RoomClientMessageType, body: unknown): ParsedMessage | undefined {
  const { bytes, payload }: ClientMessage = ROOM_CLIENT_MESSAGES[type];
  // The compiler cannot see that the payload belongs to the type.
  if (bytes && body instanceof Uint8Array) {
    const read: unknown = bytes.read(body);
    return read === undefined ? undefined : ({ type, payload: read } as ParsedMessage);
  }
  const parsed = payload.safeParse(body instanceof Uint8Array ? parseJson(body) : body);
  return parsed.success ? ({ type, payload: parsed.data } as ParsedMessage) : undefined;
}

const fromUtf8 = new TextDecoder();

/** No bytes stand for a message without fields. Undefined for what is not JSON. */
export function parseJson(body: Uint8Array | string): unknown {
  if (body.length === 0) return {};
  try {
    return JSON.parse(typeof body === 'string' ? body : fromUtf8.decode(body));
  } catch {
    return undefined;
  }
}

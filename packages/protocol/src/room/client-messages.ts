import { z } from 'zod';
import type { MessageLimit } from '../token-bucket.ts';
import { joinTicketSchema } from '../wire-values.ts';
import { BYTE_MESSAGES, isByteMessage } from './byte-messages.ts';
import { ROOM_CHAT_CLIENT_MESSAGES } from './chat-messages.ts';
import { CONNECTION_QUALITIES } from './connection-quality.ts';

const MAX_SCREEN_PX = 16_384;

const screenSide = z.number().min(1).max(MAX_SCREEN_PX);
/** A client sends the pointer at most this often, which stays below the limit of `movement`. */
export const MIN_MOVEMENT_GAP_MS = 50;
/** A message without a body. */
const nothing = z.undefined();

function bytesOf<Payload>({ read }: { read(bytes: Uint8Array): Payload | undefined }) {
  return z.instanceof(Uint8Array).transform((bytes, context) => {
    const payload = read(bytes);
    if (payload) return payload;
    context.addIssue('not of its type');
    return z.NEVER;
  });
}

/** What a client may send to its room. Anything else is counted and dropped. */
export const ROOM_CLIENT_MESSAGES = {
  /** `name` is ignored in favour of the ticket's user. The shape of the screen decides what is in view. */
  spawn: {
    payload: z.strictObject({ name: z.string().max(64), screenWidth: screenSide, screenHeight: screenSide }),
    limit: { perSecond: 1, burst: 3 },
  },
  /**
   * The pointer's offset from the centre of the screen, in world units, because only the client knows how far
   * the player has zoomed in. Four bytes.
   */
  movement: { payload: bytesOf(BYTE_MESSAGES.movement), limit: { perSecond: 25, burst: 25 } },
  split: { payload: bytesOf(BYTE_MESSAGES.split), limit: { perSecond: 8, burst: 8 } },
  ejectMass: { payload: bytesOf(BYTE_MESSAGES.ejectMass), limit: { perSecond: 12, burst: 12 } },
  ping: { payload: bytesOf(BYTE_MESSAGES.ping), limit: { perSecond: 1, burst: 5 } },
  /** Asks for a full snapshot after a delta could not be applied. */
  fullUpdate: { payload: nothing, limit: { perSecond: 1, burst: 3 } },
  /** More mass, for trying things out: only in free lobbies, and never in production. */
  f4Testing: { payload: nothing, limit: { perSecond: 4, burst: 8 } },
  ...ROOM_CHAT_CLIENT_MESSAGES,
  /** What the connection can carry. */
  quality: {
    payload: z.strictObject({ level: z.enum(CONNECTION_QUALITIES) }),
    limit: { perSecond: 1, burst: 3 },
  },
  /** From a player whose game is over: takes the ticket's seat in the same room, without another connection. */
  playAgain: {
    payload: z.strictObject({ joinTicket: joinTicketSchema }),
    limit: { perSecond: 1, burst: 3 },
  },
} as const satisfies { readonly [type: string]: { payload: z.ZodType; limit: MessageLimit } };

export type RoomClientMessageType = keyof typeof ROOM_CLIENT_MESSAGES;
export type RoomClientPayload<Type extends RoomClientMessageType> = z.infer<
  (typeof ROOM_CLIENT_MESSAGES)[Type]['payload']
>;

export type ParsedMessage = {
  [Type in RoomClientMessageType]: { readonly type: Type; readonly payload: RoomClientPayload<Type> };
}[RoomClientMessageType];

/** Undefined for a payload that is not of its type. Messages of bytes, nearly all, do without the schema. */
export function parseClientMessage(type: RoomClientMessageType, payload: unknown): ParsedMessage | undefined {
  // The compiler cannot see that the payload belongs to the type.
  if (isByteMessage(type)) {
    const read = payload instanceof Uint8Array ? BYTE_MESSAGES[type].read(payload) : undefined;
    return read && ({ type, payload: read } as ParsedMessage);
  }
  const parsed = ROOM_CLIENT_MESSAGES[type].payload.safeParse(payload);
  return parsed.success ? ({ type, payload: parsed.data } as ParsedMessage) : undefined;
}

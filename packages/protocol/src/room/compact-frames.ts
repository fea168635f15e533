import { createByteReader, createByteWriter } from './bytes.ts';
import {
  type ClientMessage,
  ROOM_CLIENT_MESSAGES,
  type RoomClientMessageType,
  type RoomClientPayload,
} from './client-messages.ts';
import { FIRST_MESSAGES, type FirstMessageType } from './join.ts';
import { type Packing, packingOf } from './packing.ts';
import {
  ROOM_SERVER_MESSAGES,
  type RoomServerMessageType,
  type RoomServerPayload,
} from './server-messages.ts';
import { ROOM_STATE_MESSAGES, type StateMessageType } from './state-messages.ts';

/*
 * A binary frame is the number of its message in one byte, and a body: the netcode's or byte-messages.ts' bytes; JSON from a
 * client; a packed payload (packing.ts) from a room.
 */

type AnyServerType = RoomServerMessageType | StateMessageType;

const clientTypes = byNumber<RoomClientMessageType>(numbersOf(ROOM_CLIENT_MESSAGES));
const firstTypes = byNumber<FirstMessageType>(numbersOf(FIRST_MESSAGES));
const serverTypes = byNumber<AnyServerType>(numbersOf({ ...ROOM_STATE_MESSAGES, ...ROOM_SERVER_MESSAGES }));
const packings = Object.fromEntries(
  Object.entries(ROOM_SERVER_MESSAGES).map(([type, { payload }]) => [type, packingOf(payload)]),
) as Readonly<Record<RoomServerMessageType, Packing>>;
const toUtf8 = new TextEncoder();

/** Undefined for a number that no message has, and for an empty frame. */
export function clientTypeOf(frame: Uint8Array): RoomClientMessageType | undefined {
  return clientTypes[frame[0]!];
}

export function firstTypeOf(frame: Uint8Array): FirstMessageType | undefined {
  return firstTypes[frame[0]!];
}

export function serverTypeOf(frame: Uint8Array): AnyServerType | undefined {
  return serverTypes[frame[0]!];
}

/** A type and, unless it has none, its payload. */
export type OutgoingMessage = {
  [Type in RoomClientMessageType]: RoomClientPayload<Type> extends Record<string, never>
    ? [type: Type]
    : [type: Type, payload: RoomClientPayload<Type>];
}[RoomClientMessageType];

export function clientFrame(...[type, payload]: OutgoingMessage): Uint8Array {
  const { number, bytes }: ClientMessage = ROOM_CLIENT_MESSAGES[type];
  if (bytes) return frameOf(number, bytes.write(payload));
  return frameOf(number, payload === undefined ? new Uint8Array() : toUtf8.encode(JSON.stringify(payload)));
}

export function firstFrame(type: FirstMessageType, payload: object): Uint8Array {
  return frameOf(FIRST_MESSAGES[type].number, toUtf8.encode(JSON.stringify(payload)));
}

export function serverFrame<Type extends RoomServerMessageType>(
  type: Type,
  payload: RoomServerPayload<Type>,
): Uint8Array {
  const writer = createByteWriter();
  writer.whole(ROOM_SERVER_MESSAGES[type].number);
  packings[type].write(writer, payload);
  return writer.end();
}

/** What a room's frame carries, checked; undefined if it is malformed. */
export function readServerFrame<Type extends RoomServerMessageType>(
  type: Type,
  frame: Uint8Array,
): RoomServerPayload<Type> | undefined {
  try {
    const reader = createByteReader(frame, 1);
    const read = ROOM_SERVER_MESSAGES[type].payload.safeParse(packings[type].read(reader));
    return read.success && reader.isAtEnd() ? (read.data as RoomServerPayload<Type>) : undefined;
  } catch {
    return undefined;
  }
}

function frameOf(number: number, body: Uint8Array): Uint8Array {
  const frame = new Uint8Array(1 + body.length);
  frame[0] = number;
  frame.set(body, 1);
  return frame;
}

function numbersOf(messages: { readonly [type: string]: { readonly number: number } }) {
  return Object.fromEntries(Object.entries(messages).map(([type, { number }]) => [type, number]));
}

function byNumber<Type extends string>(numbers: {
  readonly [type: string]: number;
}): readonly (Type | undefined)[] {
  const types: (Type | undefined)[] = [];
  for (const [type, number] of Object.entries(numbers)) {
    if (types[number]) throw new Error(`${types[number]} and ${type} have the same number`);
    types[number] = type as Type;
  }
  return types;
}

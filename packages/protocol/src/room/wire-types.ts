import { BYTE_MESSAGES, isByteMessage } from './byte-messages.ts';
import {
  ROOM_CLIENT_MESSAGES,
  type RoomClientMessageType,
  type RoomClientPayload,
} from './client-messages.ts';
import { type Packing, packingOf } from './packing.ts';
import {
  ROOM_SERVER_MESSAGES,
  type RoomServerMessageType,
  type RoomServerPayload,
  type StateMessageType,
} from './server-messages.ts';

/*
 * On the wire, a message's type is a number: its place in one of these lists. Everywhere else it has its name. A type
 * that is added anywhere but at the end of its table changes the numbers of others, and so the protocol's version.
 */

const STATE_TYPES: readonly StateMessageType[] = [
  'deltaUpdate',
  'gameUpdate',
  'spectatorDeltaUpdate',
  'spectatorFullUpdate',
  'spectatorUpdate',
];
const CLIENT_TYPES = Object.keys(ROOM_CLIENT_MESSAGES) as RoomClientMessageType[];
const SERVER_TYPES = [...STATE_TYPES, ...Object.keys(ROOM_SERVER_MESSAGES)] as AnyServerType[];

type AnyServerType = RoomServerMessageType | StateMessageType;

const clientNumbers = new Map(CLIENT_TYPES.map((type, number) => [type, number]));
const serverNumbers = new Map(SERVER_TYPES.map((type, number) => [type, number]));

export function clientTypeNumber(type: RoomClientMessageType): number {
  return clientNumbers.get(type)!;
}

export function serverTypeNumber(type: AnyServerType): number {
  return serverNumbers.get(type)!;
}

/** Undefined for anything that is not the type of a client message. */
export function clientTypeOf(wireType: unknown): RoomClientMessageType | undefined {
  return typeof wireType === 'number' ? CLIENT_TYPES[wireType] : undefined;
}

/** Undefined for anything that is not the type of a room message. */
export function serverTypeOf(wireType: unknown): AnyServerType | undefined {
  return typeof wireType === 'number' ? SERVER_TYPES[wireType] : undefined;
}

const packings = Object.fromEntries(
  Object.entries(ROOM_SERVER_MESSAGES).map(([type, schema]) => [type, packingOf(schema)]),
) as Readonly<Record<RoomServerMessageType, Packing>>;

/** A room's payload as it is sent; see packing.ts. */
export function packPayload<Type extends RoomServerMessageType>(
  type: Type,
  payload: RoomServerPayload<Type>,
): unknown {
  return packings[type].pack(payload);
}

/** What came as a room's message, checked; undefined if it is malformed. */
export function unpackPayload<Type extends RoomServerMessageType>(
  type: Type,
  packed: unknown,
): RoomServerPayload<Type> | undefined {
  const read = ROOM_SERVER_MESSAGES[type].safeParse(packings[type].unpack(packed));
  return read.success ? (read.data as RoomServerPayload<Type>) : undefined;
}

/** A client's end of a room, as far as it is used here. */
type RoomEnd = {
  send(type: number, payload?: unknown): void;
  sendBytes(type: number, bytes: Uint8Array): void;
};

/** A type and, unless it has none, its payload. */
export type ClientMessage = {
  [Type in RoomClientMessageType]: RoomClientPayload<Type> extends undefined
    ? [type: Type]
    : [type: Type, payload: RoomClientPayload<Type>];
}[RoomClientMessageType];

export function sendToRoom(room: RoomEnd, ...[type, payload]: ClientMessage): void {
  const number = clientTypeNumber(type);
  if (!isByteMessage(type)) {
    room.send(number, payload);
    return;
  }
  // The compiler cannot see that the payload belongs to the type.
  const write = BYTE_MESSAGES[type].write as (payload: unknown) => Uint8Array;
  room.sendBytes(number, write(payload));
}

import {
  ROOM_SERVER_MESSAGES,
  type RoomServerMessageType,
  type RoomServerPayload,
} from '@engulf/protocol/room/server-messages';

/** A message of the room besides its state, checked. */
export type RoomEvent = {
  [Type in RoomServerMessageType]: { readonly type: Type; readonly payload: RoomServerPayload<Type> };
}[RoomServerMessageType];

/** Undefined for a message that is unknown or not what it should be: a newer server may say more than we know. */
export function readRoomMessage(type: string | number, payload: unknown): RoomEvent | undefined {
  if (!isKnown(type)) return undefined;
  const read = ROOM_SERVER_MESSAGES[type].safeParse(payload);
  return read.success ? ({ type, payload: read.data } as RoomEvent) : undefined;
}

function isKnown(type: string | number): type is RoomServerMessageType {
  return Object.hasOwn(ROOM_SERVER_MESSAGES, type);
}

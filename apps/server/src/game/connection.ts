import type {
  RoomServerMessageType,
  RoomServerPayload,
  StateMessageType,
} from '@engulf/protocol/room/server-messages';

/** One socket to one person. */
export type Connection = {
  /** The address that limits count by. */
  readonly address: string;
  send<Type extends RoomServerMessageType>(type: Type, payload: RoomServerPayload<Type>): void;
  /** Only while `canTakeState`. */
  sendState(type: StateMessageType, bytes: Uint8Array): void;
  /**
   * False while the client is not ready or cannot keep up; skip its update then. A client that falls too far behind
   * is disconnected to bound memory, and may reconnect.
   */
  canTakeState(): boolean;
  /** Closes for good, as if the client had left. */
  close(): void;
  /** Tells the client why, then closes for good. */
  kick(reason: string): void;
  /** The same, when an admin kicked the user. */
  expel(reason: string): void;
};

/** Sends one message to everyone in the room. */
export type Announce = <Type extends RoomServerMessageType>(
  type: Type,
  payload: RoomServerPayload<Type>,
) => void;

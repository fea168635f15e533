import type { Failure } from '@engulf/domain/errors/registry';
import type { RoomServerMessageType, RoomServerPayload } from '@engulf/protocol/room/server-messages';
import type { StateMessageType } from '@engulf/protocol/room/state-messages';

/** One socket to one person. */
export type Connection = {
  /** The address that limits count by. */
  readonly address: string;
  /** Whether it gets JSON, which needs an encoding of its own. */
  readonly isText: boolean;
  send<Type extends RoomServerMessageType>(type: Type, payload: RoomServerPayload<Type>): void;
  /** Only while `canTakeState`. */
  sendState(type: StateMessageType, bytes: Uint8Array): void;
  /**
   * False while the client cannot keep up; skip its update then. A client that falls too far behind is disconnected to
   * bound memory, and may come back.
   */
  canTakeState(): boolean;
  /** Nothing that the client sends is read any more. Resolves when the socket is closed, a second later at most. */
  close(code: number): Promise<void>;
  /** Tells the client why a message was not acted upon. */
  refuse(refused: Failure, about: string | undefined): void;
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

import { Client, type Room } from '@colyseus/sdk';
import { type Failure, failure, isErrorCode } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { RoomClientMessageType, RoomClientPayload } from '@engulf/protocol/room/client-messages';
import { type JoinOptions, ROOM_NAME } from '@engulf/protocol/room/join-options';
import { type RoomEvent, readRoomMessage } from './room-event.ts';

/** An open seat in a room. */
export type RoomLink = {
  send(...message: ClientMessage): void;
  /** Gives the seat up: the body stays behind for a while, then the rules of a forfeit apply. */
  leave(): void;
};

type ClientMessage = {
  [Type in RoomClientMessageType]: RoomClientPayload<Type> extends undefined
    ? [type: Type]
    : [type: Type, payload: RoomClientPayload<Type>];
}[RoomClientMessageType];

export type RoomHandlers = {
  /** A state message: bytes of the codec. */
  onState(bytes: Uint8Array): void;
  onEvent(event: RoomEvent): void;
  /** The connection broke and is being made again. */
  onDropped(code: number): void;
  onReconnected(): void;
  /** It is over, whoever closed it. */
  onClosed(code: number): void;
};

export type JoinFailure = Failure;

/** Joins a room; refused, the failure says what to tell the player. */
export type JoinRoom = (
  endpoint: string,
  options: JoinOptions,
  handlers: RoomHandlers,
) => Promise<Result<RoomLink, JoinFailure>>;

export const joinRoom: JoinRoom = async (endpoint, options, handlers) => {
  const joining = new Client(endpoint).joinOrCreate(ROOM_NAME, options);
  try {
    const room = await withTimeout(joining);
    if (!room) {
      // It may still succeed: an unattended seat would hold a body.
      joining.then((late) => void late.leave()).catch(() => {});
      return err(failure('ROOM_CONNECTION_TIMEOUT'));
    }
    return ok(attach(room, handlers));
  } catch (error) {
    return err(readJoinError(error));
  }
};

function attach(room: Room, handlers: RoomHandlers): RoomLink {
  // The body waits ten seconds for its player, so we try early and often.
  Object.assign(room.reconnection, { minUptime: 0, delay: 250, maxDelay: 1_500, maxRetries: 12 });
  room.onMessage('*', (type, payload: unknown) => {
    if (payload instanceof Uint8Array) {
      handlers.onState(payload);
      return;
    }
    const event = readRoomMessage(type, payload);
    if (event) handlers.onEvent(event);
  });
  room.onDrop((code) => handlers.onDropped(code));
  room.onReconnect(() => handlers.onReconnected());
  room.onLeave((code) => handlers.onClosed(code));
  // Colyseus reports an error of the socket and then closes it: what follows from it, `onLeave` and `onDrop` tell.
  room.onError(() => {});
  return {
    send: (type, payload?: unknown) => {
      // What the player does while the line is down is stale when it is up again.
      if (room.connection.isOpen) room.send(type, payload);
    },
    leave: () => {
      room.reconnection.enabled = false;
      room.removeAllListeners();
      if (room.connection.isOpen) void room.leave();
    },
  };
}

const JOIN_TIMEOUT_MS = 45_000;

async function withTimeout(joining: Promise<Room>): Promise<Room | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), JOIN_TIMEOUT_MS);
  });
  return Promise.race([joining, timeout]).finally(() => clearTimeout(timer));
}

/** Our server puts the code of the error registry into the message. Anything else is a broken connection. */
function readJoinError(error: unknown): JoinFailure {
  const code = error instanceof Error ? error.message : '';
  return isErrorCode(code) ? ({ code, context: undefined } as Failure) : failure('DISCONNECTED');
}

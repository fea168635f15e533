import { Client, CloseCode, type Room } from '@colyseus/sdk';
import { type Failure, failure, isErrorCode } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { type JoinOptions, ROOM_NAME } from '@engulf/protocol/room/join-options';
import { type ClientMessage, sendToRoom, serverTypeOf } from '@engulf/protocol/room/wire-types';
import { createRoomReader, type RoomMessage } from './events.ts';
import { askNextSeat, keepFinished, type Place, takeFinished } from './finished-room.ts';

/** Then it is given up: while one connection to a server is being made, browsers open no other. */
const JOIN_WITHIN_MS = 10_000;
/** How long a new connection has to bring its first state; enough for one that is only slow. */
const RENEWED_WITHIN_MS = 4_500;

/** A seat in a room. */
export type RoomLink = {
  /** Returns whether it was sent: nothing is while the connection is down. */
  send(...message: ClientMessage): boolean;
  /** Gives up a silent connection for another one to the same seat, unless that was done a moment ago. */
  renew(): void;
  /** Gives up the seat. A body that is still in the arena stays for a while, then it counts as a forfeit. */
  leave(): void;
};

export type RoomHandlers = {
  /** An encoded state update. */
  onState(bytes: Uint8Array): void;
  onMessage(message: RoomMessage): void;
  /** The connection broke; reconnecting. */
  onDropped(code: number): void;
  onReconnected(): void;
  /** Closed for good, by either side. */
  onClosed(code: number): void;
};

export type JoinRoom = (
  endpoint: string,
  options: JoinOptions,
  handlers: RoomHandlers,
) => Promise<Result<RoomLink, Failure>>;

export const joinRoom: JoinRoom = async (endpoint, options, handlers) => {
  const place = { endpoint, lobbyId: options.lobbyId };
  if (options.type === 'player') {
    const finished = takeFinished(place);
    if (finished) return playAgain(place, finished, options.joinTicket, handlers);
  }
  const client = new ClosableClient(endpoint);
  const joining = client.joinOrCreate(ROOM_NAME, options);
  try {
    const room = await withTimeout(joining);
    if (room) return ok(attach(place, room, handlers));
    client.giveUp();
    // It may still succeed, and an abandoned seat would leave a body in the arena.
    joining.then((late) => void late.leave()).catch(() => {});
    return err(failure('DISCONNECTED'));
  } catch (error) {
    return err(readJoinError(error instanceof Error ? error.message : ''));
  }
};

async function playAgain(
  place: Place,
  room: Room,
  joinTicket: string,
  handlers: RoomHandlers,
): ReturnType<JoinRoom> {
  const refused = await askNextSeat(room, joinTicket);
  if (refused === null) return ok(attach(place, room, handlers));
  void room.leave();
  return err(readJoinError(refused ?? ''));
}

/** Knows the room that it is about to join, to be able to close its connection. */
class ClosableClient extends Client {
  #room: Pick<Room, 'connection'> | undefined;

  giveUp(): void {
    this.#room?.connection.close();
  }

  protected override createRoom<State>(name: string) {
    const room = super.createRoom<State>(name);
    this.#room = room;
    return room;
  }
}

function attach(place: Place, room: Room, handlers: RoomHandlers): RoomLink {
  // The body is removed ten seconds after its player is gone, so reconnect early and often.
  Object.assign(room.reconnection, {
    enabled: true,
    minUptime: 0,
    delay: 250,
    maxDelay: 1_500,
    maxRetries: 12,
  });
  const read = createRoomReader();
  let isOver = false;
  let droppedMs = Number.NEGATIVE_INFINITY;
  room.onMessage('*', (type, payload: unknown) => {
    if (payload instanceof Uint8Array) {
      handlers.onState(payload);
      return;
    }
    const message = read(serverTypeOf(type), payload);
    if (message?.type === 'gameOver') isOver = true;
    if (message) handlers.onMessage(message);
  });
  room.onDrop((code) => {
    droppedMs = performance.now();
    handlers.onDropped(code);
  });
  room.onReconnect(() => handlers.onReconnected());
  room.onLeave((code) => handlers.onClosed(code));
  // Colyseus closes the socket after an error; onDrop and onLeave handle that.
  room.onError(() => {});
  return {
    send: (...message) => {
      // Input queued while the line is down would be stale by the time it is sent.
      const { isOpen } = room.connection;
      if (isOpen) sendToRoom(room, ...message);
      return isOpen;
    },
    renew: () => {
      if (performance.now() - droppedMs < RENEWED_WITHIN_MS) return;
      room.connection.close(CloseCode.MAY_TRY_RECONNECT);
    },
    leave: () => {
      const { connection } = room;
      if (isOver && connection.isOpen) {
        keepFinished(place, room);
        return;
      }
      room.removeAllListeners();
      room.reconnection.enabled = false;
      // Colyseus does not look at that before a retry which it has scheduled. Coming back, this connection would take
      // the place of the one that replaced it.
      connection.reconnect = () => {};
      if (connection.isOpen) void room.leave();
      else connection.close();
    },
  };
}

async function withTimeout(joining: Promise<Room>): Promise<Room | undefined> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const timeout = new Promise<undefined>((resolve) => {
    timer = setTimeout(() => resolve(undefined), JOIN_WITHIN_MS);
  });
  return Promise.race([joining, timeout]).finally(() => clearTimeout(timer));
}

/** The server sends the error code as the message. Anything else means the connection failed. */
function readJoinError(code: string): Failure {
  return isErrorCode(code) ? ({ code, context: undefined } as Failure) : failure('DISCONNECTED');
}

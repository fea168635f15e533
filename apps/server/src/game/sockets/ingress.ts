import { describeFailure, type Failure, failure } from '@engulf/domain/errors/registry';
import { err, type Result } from '@engulf/domain/errors/result';
import type { RoomClientMessageType } from '@engulf/protocol/room/client-messages';
import type { Hello } from '@engulf/protocol/room/join';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import type { Connection } from '../connection.ts';
import type { Door, Visitor } from '../entrance/entrance.ts';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { type Dialect, dialectOf } from './dialects.ts';
import type { Line } from './line.ts';

/** Somebody who is in a room. */
export type Guest = {
  /** The type is undefined for what is no message. */
  receive(type: RoomClientMessageType | undefined, body: unknown): void;
  /** Whether the visitor's game is over, so that the connection may join another. */
  isOver(): boolean;
  /** The connection is gone: it was closed for good, by either side, or the line broke. Called once. */
  gone(isForGood: boolean): void;
};

/** Answers a first frame: with a place in a room, which has sent a `welcome` by then, or with the reason why not. */
export type Enter = (
  hello: Hello,
  connection: Connection,
  visitor: Visitor,
) => Promise<Result<Guest, Failure>>;

/** What a client may send ahead, before it has been let in. */
const MAX_WAITING = 8;

/**
 * The only way in: the first frame joins or resumes, every other one is a message to the room. Once a game is over, a `join`
 * begins the next one on the same connection.
 */
export function startIngress(line: Line, visitor: Visitor, door: Door, enter: Enter, onJoined: () => void) {
  let dialect: Dialect | undefined;
  let guest: Guest | undefined;
  let frameInHand: Buffer | undefined;
  const waiting: { readonly frame: Buffer; readonly isBinary: boolean }[] = [];

  return {
    take,
    closed(code: number): void {
      guest?.gone(code === CLOSE_CODES.left || line.isEnded());
    },
  };

  /** The next frame, of whatever client, may overwrite this one. */
  function take(frame: Buffer, isBinary: boolean): void {
    // What has arrived before a connection was closed may still come.
    if (!line.isOpen()) return;
    if (guest) deliver(frame, isBinary);
    else if (!dialect) {
      dialect = dialectOf(isBinary);
      void begin(dialect, dialect.readHello(frame));
    } else if (waiting.length < MAX_WAITING) waiting.push({ frame: Buffer.from(frame), isBinary });
    else refuse(dialect, failure('RATE_LIMITED'));
  }

  async function begin(spoken: Dialect, hello: Result<Hello, Failure>): Promise<void> {
    const entered = hello.ok ? await enterWith(spoken, hello.value) : hello;
    if (!entered.ok) {
      refuse(spoken, entered.error);
      return;
    }
    onJoined();
    if (!line.isOpen()) {
      // Its line broke meanwhile.
      entered.value.gone(line.isEnded());
      return;
    }
    guest = entered.value;
    // One of them may join again, and the rest then waits for that.
    for (const { frame, isBinary } of waiting.splice(0)) take(frame, isBinary);
  }

  async function enterWith(spoken: Dialect, hello: Hello): Promise<Result<Guest, Failure>> {
    if (hello.type === 'join' && !door.mayJoin(visitor.address)) return err(failure('RATE_LIMITED'));
    try {
      return await enter(hello, connectionOf(line, spoken, visitor), visitor);
    } catch (error) {
      door.log('error', 'join', { code: 'SOCKET_FAILED', err: error }, 'a first frame could not be answered');
      return err(failure('INTERNAL_ERROR'));
    }
  }

  function deliver(frame: Buffer, isBinary: boolean): void {
    frameInHand = frame;
    if (isBinary === dialect!.isText) guest!.receive(undefined, undefined);
    else dialect!.read(frame, act);
  }

  /** Players come back all the time, and another connection would cost the room more than the seat does. */
  function act(type: RoomClientMessageType | undefined, body: unknown): void {
    const hello = type === undefined && guest!.isOver() ? dialect!.readHello(frameInHand!) : undefined;
    if (!hello?.ok || hello.value.type !== 'join') {
      guest!.receive(type, body);
      return;
    }
    guest!.gone(true);
    guest = undefined;
    void begin(dialect!, hello);
  }

  function refuse(spoken: Dialect, refused: Failure): void {
    door.meter?.refused('join', refused.code);
    connectionOf(line, spoken, visitor).refuse(refused, 'join');
    void line.close(CLOSE_CODES.refused, refused.code);
  }
}

function connectionOf(line: Line, dialect: Dialect, { address }: Visitor): Connection {
  const { backlogHoldBytes, textBacklogHoldBytes } = ENTRANCE_LIMITS;
  const holdBytes = dialect.isText ? textBacklogHoldBytes : backlogHoldBytes;
  const send: Connection['send'] = (type, payload) => {
    for (const frame of dialect.framesOf(type, payload)) line.post(frame);
  };
  return {
    address,
    isText: dialect.isText,
    send,
    sendState: (type, bytes) => line.post(dialect.stateFrame(type, bytes)),
    canTakeState: () => line.isOpen() && line.backlog() <= holdBytes,
    close: (code) => line.close(code, ''),
    refuse: (refused, about) =>
      send('error', {
        code: refused.code,
        message: describeFailure(refused).text,
        ...(about !== undefined && { about }),
      }),
    kick: (reason) => {
      send('kicked', { reason });
      void line.close(CLOSE_CODES.kicked, reason);
    },
    expel: (reason) => {
      send('kick', { reason });
      send('game_ended', { message: 'kicked' });
      void line.close(CLOSE_CODES.kicked, reason);
    },
  };
}

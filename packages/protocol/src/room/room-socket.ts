import { type Failure, failure, isErrorCode } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import { PROTOCOL_VERSION } from '../version.ts';
import {
  clientFrame,
  firstFrame,
  type OutgoingMessage,
  readServerFrame,
  serverTypeOf,
} from './compact-frames.ts';
import { type Hello, type JoinOptions, ROOM_NAME } from './join.ts';
import {
  CLOSE_CODES,
  ROOM_SERVER_MESSAGES,
  type RoomServerMessageType,
  type RoomServerPayload,
} from './server-messages.ts';
import type { StateMessageType } from './state-messages.ts';

/** A browser's WebSocket, or one that looks like it. */
export type PlainSocket = Pick<
  WebSocket,
  'binaryType' | 'readyState' | 'onopen' | 'onmessage' | 'onclose' | 'onerror'
> & {
  send(frame: Uint8Array<ArrayBuffer>): void;
  close(code?: number): void;
};

export type AnyServerMessage = {
  [Type in RoomServerMessageType]: { readonly type: Type; readonly payload: RoomServerPayload<Type> };
}[RoomServerMessageType];

type RoomListener = {
  /** An encoded update of the arena. */
  onState(bytes: Uint8Array, type: StateMessageType): void;
  /** Messages that we do not know or cannot read are left out: a newer server may send more than we know. */
  onMessage(message: AnyServerMessage): void;
  onClosed(code: number): void;
};

/** A client's end of a room that has let it in. */
export type RoomSocket = {
  /** To come back with, after the line has broken. */
  readonly resumeToken: string;
  /** Delivers everything from the `welcome` on, which is kept until then. */
  listen(listener: RoomListener): void;
  /** Returns whether it was sent: nothing is while the connection is closed or closing. */
  send(...message: OutgoingMessage): boolean;
  /** Takes the seat of another ticket, once the game is over. Nothing is delivered until somebody listens to the new one. */
  joinAgain(options: JoinOptions, withinMs: number): Promise<Result<RoomSocket, Failure>>;
  isOpen(): boolean;
  /** Closes for good. A body that is still in the arena stays for a while, then it counts as a forfeit. */
  leave(): void;
  /** Closes as a line that breaks would: the seat is kept for a while. */
  drop(): void;
};

type Answer = Result<RoomSocket, Failure>;

const OPEN = 1;

/** Joins or resumes. A connection that fails, or gives no answer in time, is the failure DISCONNECTED. */
export function openRoomSocket(socket: PlainSocket, hello: Hello, withinMs: number): Promise<Answer> {
  socket.binaryType = 'arraybuffer';
  let listener: RoomListener | undefined;
  /** What nobody listens to yet. */
  let kept: ((to: RoomListener) => void)[] = [];
  let answer: ((given: Answer) => void) | undefined;
  const deliver = (event: (to: RoomListener) => void) => {
    if (listener) event(listener);
    else kept.push(event);
  };
  const isOpen = () => socket.readyState === OPEN;

  const untilAnswered = (waitMs: number): Promise<Answer> =>
    new Promise((resolve) => {
      const timer = setTimeout(() => {
        answer?.(err(failure('DISCONNECTED')));
        socket.close();
      }, waitMs);
      answer = (given) => {
        clearTimeout(timer);
        answer = undefined;
        // Whatever came before the answer belongs to the game before.
        kept = [];
        resolve(given);
      };
    });

  const roomSocket = (resumeToken: string): RoomSocket => ({
    resumeToken,
    listen: (to) => {
      listener = to;
      for (const event of kept.splice(0)) event(to);
    },
    send: (...message) => {
      const canSend = isOpen();
      if (canSend) socket.send(clientFrame(...message) as Uint8Array<ArrayBuffer>);
      return canSend;
    },
    joinAgain: (options, waitMs) => {
      listener = undefined;
      if (isOpen()) socket.send(frameOf({ type: 'join', options }));
      return untilAnswered(isOpen() ? waitMs : 0);
    },
    isOpen,
    leave: () => socket.close(CLOSE_CODES.left),
    drop: () => socket.close(),
  });

  socket.onopen = () => socket.send(frameOf(hello));
  socket.onerror = () => {};
  socket.onclose = ({ code }) => {
    answer?.(err(failure('DISCONNECTED')));
    deliver((to) => to.onClosed(code));
  };
  socket.onmessage = ({ data }) => {
    const frame = data instanceof ArrayBuffer ? new Uint8Array(data) : (data as Uint8Array);
    const type = serverTypeOf(frame);
    if (type === undefined) return;
    if (!isNamed(type)) {
      deliver((to) => to.onState(frame.subarray(1), type));
      return;
    }
    const payload = readServerFrame(type, frame);
    if (!payload) return;
    const message = { type, payload } as AnyServerMessage;
    if (message.type === 'error') answer?.(err(refusalOf(message.payload.code)));
    if (message.type === 'welcome' && message.payload.resumeToken !== undefined) {
      answer?.(ok(roomSocket(message.payload.resumeToken)));
    }
    deliver((to) => to.onMessage(message));
  };
  return untilAnswered(withinMs);
}

function frameOf(hello: Hello): Uint8Array<ArrayBuffer> {
  const protocolVersion = PROTOCOL_VERSION;
  const frame =
    hello.type === 'join'
      ? firstFrame('join', { room: ROOM_NAME, options: hello.options, protocolVersion })
      : firstFrame('resume', { token: hello.token, protocolVersion });
  return frame as Uint8Array<ArrayBuffer>;
}

function isNamed(type: RoomServerMessageType | StateMessageType): type is RoomServerMessageType {
  return Object.hasOwn(ROOM_SERVER_MESSAGES, type);
}

/** A newer server may have codes that we do not know. */
function refusalOf(code: string): Failure {
  return isErrorCode(code) ? ({ code, context: undefined } as Failure) : failure('DISCONNECTED');
}

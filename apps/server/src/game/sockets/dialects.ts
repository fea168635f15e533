import type { Failure } from '@engulf/domain/errors/registry';
import type { Result } from '@engulf/domain/errors/result';
import type { RoomClientMessageType } from '@engulf/protocol/room/client-messages';
import { parseJson } from '@engulf/protocol/room/client-messages';
import { clientTypeOf, firstTypeOf, serverFrame } from '@engulf/protocol/room/compact-frames';
import { type Hello, readHello } from '@engulf/protocol/room/join';
import type { RoomServerMessageType, RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { ROOM_STATE_MESSAGES, type StateMessageType } from '@engulf/protocol/room/state-messages';
import { createTextSpeech, isClientType, readTextFrame, textFrame } from '@engulf/protocol/room/text-frames';
import { createTextState } from '../views/text-state.ts';
import { binaryFrameOf, stateFrameOf, textFrameOf } from './frames.ts';

/** How a client and its room talk: in compact bytes, or in JSON by the names of the messages. */
export type Dialect = {
  readonly isText: boolean;
  readHello(frame: Buffer): Result<Hello, Failure<'PROTOCOL_MISMATCH' | 'INVALID_REQUEST'>>;
  /** The type is undefined for what is no message. */
  read(frame: Buffer, take: (type: RoomClientMessageType | undefined, body: unknown) => void): void;
  framesOf<Type extends RoomServerMessageType>(
    type: Type,
    payload: RoomServerPayload<Type>,
  ): readonly Buffer[];
  stateFrame(type: StateMessageType, bytes: Uint8Array): Buffer;
};

/** What goes to everybody in a room is encoded once. */
let latest:
  | { readonly type: string; readonly payload: unknown; readonly frames: readonly Buffer[] }
  | undefined;

const COMPACT: Dialect = {
  isText: false,
  readHello: (frame) => readHello(firstTypeOf(frame), parseJson(frame.subarray(1)), { isCompact: true }),
  read: (frame, take) => take(clientTypeOf(frame), frame.subarray(1)),
  framesOf: (type, payload) => {
    if (latest?.payload !== payload || latest.type !== type) {
      latest = { type, payload, frames: [binaryFrameOf(serverFrame(type, payload))] };
    }
    return latest.frames;
  },
  stateFrame: (type, bytes) => stateFrameOf(ROOM_STATE_MESSAGES[type].number, bytes),
};

function createTextDialect(): Dialect {
  const speech = createTextSpeech();
  const stateOf = createTextState();
  return {
    isText: true,
    readHello: (frame) => {
      const message = readTextFrame(frame.toString());
      return readHello(message?.type, message?.body, { isCompact: false });
    },
    read: (frame, take) => {
      const message = readTextFrame(frame.toString());
      take(message && isClientType(message.type) ? message.type : undefined, message?.body);
    },
    framesOf: (type, payload) => speech(type, payload).map(textFrameOf),
    stateFrame: (type, bytes) => textFrameOf(textFrame(type, stateOf(bytes))),
  };
}

/** The first frame of a client decides. */
export function dialectOf(isBinary: boolean): Dialect {
  return isBinary ? COMPACT : createTextDialect();
}

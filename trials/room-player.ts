import { type ArenaDecoder, createArenaDecoder } from '@engulf/netcode/decode/arena-decoder';
import { decodeUpdate } from '@engulf/netcode/decode/decode-update';
import type { OutgoingMessage } from '@engulf/protocol/room/compact-frames';
import { type Hello, type JoinOptions, roomAddress } from '@engulf/protocol/room/join';
import { type AnyServerMessage, openRoomSocket, type PlainSocket } from '@engulf/protocol/room/room-socket';
import type { RoomServerMessageType, RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { WebSocket } from 'ws';

const ANSWER_WITHIN_MS = 20_000;

/** Somebody in a room, without a page. */
export type RoomPlayer = {
  /** What the room has shown. Stays empty if nothing is decoded. */
  readonly view: ArenaDecoder['view'];
  readonly resumeToken: string;
  /** The close code, once the connection is closed. */
  readonly closed: Promise<number>;
  isOpen(): boolean;
  /** Returns whether it was sent. */
  send(...message: OutgoingMessage): boolean;
  /** Resolves to the next message of the type. */
  next<Type extends RoomServerMessageType>(type: Type): Promise<RoomServerPayload<Type>>;
  onMessage(listener: (message: AnyServerMessage) => void): void;
  onUpdate(listener: (bytes: Uint8Array) => void): void;
  /** Takes the seat of another ticket in the same lobby, once the game is over. Rejects with the code of the refusal. */
  joinAgain(options: JoinOptions): Promise<void>;
  leave(): void;
  /** Breaks the line: the seat is kept for a while. */
  drop(): void;
};

export type RoomPlayerOptions = {
  readonly cookie?: string;
  readonly localAddress?: string;
  /** Does without decoding what it is shown. */
  readonly isBlind?: boolean;
  /** Opens the connection; `ws` if missing. */
  readonly connect?: (address: string) => PlainSocket;
};

/** Rejects with the code of the refusal. */
export function joinRoom(
  server: string,
  options: JoinOptions,
  more: RoomPlayerOptions = {},
): Promise<RoomPlayer> {
  return enter(roomAddress(server, options.lobbyId), { type: 'join', options }, more);
}

/** Comes back on another connection. */
export function resumeRoom(
  server: string,
  lobbyId: string,
  token: string,
  more: RoomPlayerOptions = {},
): Promise<RoomPlayer> {
  return enter(roomAddress(server, lobbyId), { type: 'resume', token }, more);
}

export const SCREEN = { name: 'trial', screenWidth: 1920, screenHeight: 1080 } as const;

async function enter(
  address: string,
  hello: Hello,
  { cookie = '', localAddress, isBlind = false, connect }: RoomPlayerOptions,
): Promise<RoomPlayer> {
  const headers = { cookie };
  const socket =
    connect?.(address) ??
    (new WebSocket(address, { headers, ...(localAddress && { localAddress }) }) as unknown as PlainSocket);
  const opened = await openRoomSocket(socket, hello, ANSWER_WITHIN_MS);
  if (!opened.ok) throw new Error(opened.error.code);
  let room = opened.value;
  const decoder = createArenaDecoder();
  const closed = Promise.withResolvers<number>();
  const messageListeners = new Set<(message: AnyServerMessage) => void>();
  const updateListeners = new Set<(bytes: Uint8Array) => void>();
  const listener: Parameters<typeof room.listen>[0] = {
    onState: (bytes) => {
      if (!isBlind && decodeUpdate(decoder, bytes) === 'needsFull') room.send('fullUpdate');
      for (const listener of updateListeners) listener(bytes);
    },
    onMessage: (message) => {
      for (const listener of messageListeners) listener(message);
    },
    onClosed: closed.resolve,
  };
  room.listen(listener);
  return {
    view: decoder.view,
    resumeToken: room.resumeToken,
    closed: closed.promise,
    isOpen: room.isOpen,
    send: room.send,
    joinAgain: async (options) => {
      const again = await room.joinAgain(options, ANSWER_WITHIN_MS);
      if (!again.ok) throw new Error(again.error.code);
      room = again.value;
      room.listen(listener);
    },
    next: (type) =>
      new Promise((resolve) => {
        const listener = (message: AnyServerMessage) => {
          if (message.type !== type) return;
          messageListeners.delete(listener);
          resolve(message.payload as never);
        };
        messageListeners.add(listener);
      }),
    onMessage: (listener) => void messageListeners.add(listener),
    onUpdate: (listener) => void updateListeners.add(listener),
    leave: room.leave,
    drop: room.drop,
  };
}

import type { EventEmitter } from 'node:events';
import type { Duplex } from 'node:stream';
import { Protocol } from '@colyseus/core';
import { createBucket, takeTokens } from '@engulf/protocol/token-bucket';
import type { Door } from '../entrance/entrance.ts';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { BINARY, kindOfChunk, readFrames } from './frame-reader.ts';
import { messageFrame, PING_FRAME } from './frames.ts';
import type { Outbox } from './outbox.ts';
import { hasPlainType, isSafeFrame } from './safe-frame.ts';
import { shareReads } from './shared-reads.ts';
import { watchSilence } from './silence.ts';

/** A socket of `ws`, as far as it is used here. */
export type RawSocket = EventEmitter & {
  readonly bufferedAmount: number;
  readonly readyState: number;
  send(data: unknown, options?: unknown, onSent?: unknown): void;
  close(code?: number, reason?: unknown): void;
  terminate(): void;
};

/** The network below a socket. */
export type Line = {
  readonly stream: Duplex;
  readonly outbox: Outbox;
  /** Takes a message of bytes, unless it returns false. Pointers, most of what arrives, go past Colyseus' events so. */
  takeBytes?: (type: number, bytes: Uint8Array) => boolean;
};

/**
 * What our client sends. The rest of Colyseus' protocol would bypass the message gate, and its answers the backlog
 * limit.
 */
const FRAME_TYPES: readonly (number | undefined)[] = [
  Protocol.JOIN_ROOM,
  Protocol.LEAVE_ROOM,
  Protocol.ROOM_DATA,
  Protocol.ROOM_DATA_BYTES,
  Protocol.PING,
];

/**
 * Stands between a raw socket and Colyseus: every frame and every byte of the client counts, the join has to be
 * acknowledged in time, and nothing is sent to a client that does not read.
 */
export function guardSocket(socket: RawSocket, line: Line, door: Door): void {
  const { stream, outbox } = line;
  const { clock, log, meter } = door;
  /** When the latest bytes came; all frames in them count as of that time. */
  let heardAtMs = clock.monotonicMs();
  const frames = createBucket(ENTRANCE_LIMITS.framesPerSocket, heardAtMs);
  const bytes = createBucket(ENTRANCE_LIMITS.bytesPerSocket, heardAtMs);
  const emit = socket.emit.bind(socket);
  const send = socket.send.bind(socket);
  const close = socket.close.bind(socket);
  let isCutOff = false;

  const cutOff = (reason: string, fields: object = {}) => {
    if (isCutOff) return;
    isCutOff = true;
    meter?.refused('socket', reason);
    log('warn', `cut off: ${reason}`, { code: 'SOCKET_CUT_OFF', reason, ...fields }, 'room socket cut off');
    socket.terminate();
  };
  const cancelDeadline = clock.setTimer(ENTRANCE_LIMITS.handshakeWithinMs, () =>
    cutOff('join not acknowledged'),
  );
  const silence = watchSilence(
    clock,
    () => {
      if (socket.readyState === WebSocket.OPEN) outbox.post(PING_FRAME);
    },
    () => socket.terminate(),
  );
  socket.once('close', () => {
    cancelDeadline();
    silence.stop();
  });

  /** Passes a copy of the frame, which the next one overwrites, to Colyseus, whose decoding may throw on a bad one. */
  const deliver = (data: Uint8Array, isBinary: boolean): boolean => {
    try {
      return emit('message', Buffer.from(data), isBinary);
    } catch (error) {
      cutOff('bad frame', { err: error });
      return false;
    }
  };

  /** Whether one more frame may be looked at. */
  const mayTakeFrame = (): boolean => {
    // After a bad frame Colyseus closes the socket, but frames that have arrived would still be decoded, and each bad one
    // costs a stack trace: hundreds of them in one read held up every room.
    if (socket.readyState !== WebSocket.OPEN) return false;
    if (!takeTokens(frames, 1, heardAtMs)) cutOff('too many frames');
    return !isCutOff;
  };

  const takeMessage = (data: Uint8Array, isBinary: boolean): boolean => {
    if (!mayTakeFrame()) return false;
    const type = data[0];
    if (!FRAME_TYPES.includes(type)) {
      cutOff('unknown frame type');
      return false;
    }
    const isBad =
      (type === Protocol.ROOM_DATA && !isSafeFrame(data)) ||
      (type === Protocol.ROOM_DATA_BYTES && !hasPlainType(data));
    if (isBad) {
      cutOff('bad frame');
      return false;
    }
    if (type === Protocol.ROOM_DATA_BYTES && line.takeBytes?.(data[1]!, data.subarray(2))) return true;
    // Colyseus listens only once the seat is taken, so an acknowledgement sent before that counts for nothing.
    const isJoined = deliver(data, isBinary) && type === Protocol.JOIN_ROOM;
    if (isJoined) {
      cancelDeadline();
      door.joined?.(stream);
    }
    return true;
  };

  socket.emit = (event, ...parameters) => {
    if (event === 'message') return takeMessage(...(parameters as [Uint8Array, boolean]));
    const isFrame = event === 'ping' || event === 'pong';
    return isFrame && !mayTakeFrame() ? false : emit(event, ...parameters);
  };

  const emitOnStream: EventEmitter['emit'] = stream.emit.bind(stream);
  /** From the first chunk on that is not made of whole frames, `ws` reads them all. */
  let isReader = true;
  const takeFrame = (opcode: number, body: Buffer) => {
    if (opcode === BINARY) takeMessage(body, true);
    else socket.emit('pong', body);
  };
  const takeChunk = (chunk: Buffer) => {
    silence.heard();
    heardAtMs = clock.monotonicMs();
    if (!takeTokens(bytes, chunk.length, heardAtMs)) cutOff('too many bytes');
    const kind = isReader ? kindOfChunk(chunk) : 'broken';
    if (kind === 'broken') isReader = false;
    if (kind === 'simple') readFrames(chunk, takeFrame);
    else emitOnStream('data', Buffer.from(chunk));
  };
  stream.emit = (event: string | symbol, ...parameters: unknown[]) => {
    if (event !== 'data') return emitOnStream(event, ...parameters);
    takeChunk(parameters[0] as Buffer);
    return true;
  };
  shareReads(stream, takeChunk);

  socket.send = (data, options, onSent) => {
    if (socket.bufferedAmount > ENTRANCE_LIMITS.backlogDropBytes) {
      cutOff('does not read');
      return;
    }
    // Colyseus sends bytes only, and asks for the end of the sending only before it closes.
    const isPlain =
      data instanceof Uint8Array && onSent === undefined && socket.readyState === WebSocket.OPEN;
    if (isPlain) outbox.post(messageFrame(data));
    else {
      outbox.flush();
      send(data, options, onSent);
    }
  };
  socket.close = (...parameters) => {
    outbox.flush();
    close(...parameters);
  };
}

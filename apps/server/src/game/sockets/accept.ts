import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import { failure } from '@engulf/domain/errors/registry';
import { err } from '@engulf/domain/errors/result';
import { MAX_MESSAGE_BYTES } from '@engulf/protocol/wire/frame-walk';
import { createWireLimits } from '@engulf/protocol/wire/wire-limits';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Door } from '../entrance/entrance.ts';
import { ENTRANCE_LIMITS } from '../limits.ts';
import { readFrames } from './frame-reader.ts';
import { PING_FRAME } from './frames.ts';
import { type Enter, startIngress } from './ingress.ts';
import { createLine } from './line.ts';
import { watchSilence } from './silence.ts';
import { createWire } from './wire.ts';

/** The sockets of the rooms. */
export type RoomSockets = {
  /** Takes a request for a WebSocket that the entrance has let in. */
  accept(request: IncomingMessage, socket: Duplex, head: Uint8Array): void;
  /** Set when the rooms are open. */
  enter: Enter;
  close(): void;
};

/**
 * Every frame and every byte of a client counts before anything reads it, and its first frame has to get an answer in
 * time. Frames then go to the ingress: small ones at once, all others through `ws`.
 */
export function openRoomSockets(door: Door): RoomSockets {
  const server = new WebSocketServer({ noServer: true, maxPayload: MAX_MESSAGE_BYTES });
  const countWire = createWireLimits(ENTRANCE_LIMITS, door.clock, door.limitScale);
  const sockets: RoomSockets = {
    enter: async () => err(failure('LOBBY_OFFLINE')),
    accept(request, socket, head) {
      let onBytes: (chunk: Buffer) => boolean = () => true;
      const wire = createWire(socket, (chunk) => onBytes(chunk));
      server.handleUpgrade(request, wire, Buffer.alloc(0), (webSocket) => {
        onBytes = receive(webSocket, request, socket);
        if (head.length > 0) socket.unshift(head);
      });
    },
    close: () => {
      for (const webSocket of server.clients) webSocket.terminate();
      server.close();
    },
  };
  return sockets;

  function receive(
    webSocket: WebSocket,
    request: IncomingMessage,
    socket: Duplex,
  ): (chunk: Buffer) => boolean {
    const { clock, log, meter } = door;
    const visitor = { address: door.addressOf(request), cookieHeader: request.headers.cookie };
    const counted = countWire(visitor.address);
    const isOpen = () => webSocket.readyState === webSocket.OPEN;

    const cutOff = (reason: string) => {
      if (isOpen()) {
        meter?.refused('socket', reason);
        log('warn', `cut off: ${reason}`, { code: 'SOCKET_CUT_OFF', reason }, 'room socket cut off');
      }
      webSocket.terminate();
    };
    const line = createLine(webSocket, socket, clock, cutOff);
    const cancelDeadline = clock.setTimer(ENTRANCE_LIMITS.handshakeWithinMs, () => cutOff('never joined'));
    const ingress = startIngress(
      line,
      visitor,
      door,
      (...first) => sockets.enter(...first),
      () => {
        cancelDeadline();
        door.joined?.(socket);
      },
    );
    const silence = watchSilence(
      clock,
      () => line.post(PING_FRAME),
      () => webSocket.terminate(),
    );
    webSocket.on('message', (data, isBinary) => ingress.take(data as Buffer, isBinary));
    webSocket.on('close', (code) => {
      cancelDeadline();
      silence.stop();
      ingress.closed(code);
    });
    // After this it closes the connection.
    webSocket.on('error', () => meter?.refused('socket', 'bad frame'));

    const takeSimple = (body: Buffer) => ingress.take(body, true);
    return (chunk) => {
      silence.heard();
      const tooMuch = counted.take(chunk);
      if (tooMuch !== undefined) cutOff(tooMuch);
      else if (!isOpen()) {
        // Dropped. The client has agreed to be closed, or may have said anything else before it heard of it.
        if (counted.walk.hasClose) webSocket.terminate();
      } else if (counted.walk.isSimple) readFrames(chunk, takeSimple);
      else return true;
      return false;
    };
  }
}

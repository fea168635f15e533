import type { Duplex } from 'node:stream';
import type { WebSocket } from 'ws';
import { ENTRANCE_LIMITS } from '../limits.ts';
import type { Clock } from '../ports.ts';
import { createOutbox } from './outbox.ts';

/** The way out to one client. */
export type Line = {
  isOpen(): boolean;
  /** Whether we have closed it, not the client or the network. */
  isEnded(): boolean;
  /** The frame leaves at the end of this turn of the event loop, unless the connection is closing. */
  post(frame: Buffer): void;
  /** Bytes that the client has not taken yet. */
  backlog(): number;
  /** Sends what has been posted, and closes. Resolves when the socket is closed. */
  close(code: number, reason: string): Promise<void>;
};

/** How long a client may take to close its side. */
const CLOSE_WITHIN_MS = 1_000;

export function createLine(
  webSocket: WebSocket,
  socket: Duplex,
  clock: Clock,
  cutOff: (reason: string) => void,
): Line {
  const outbox = createOutbox(socket);
  const isOpen = () => webSocket.readyState === webSocket.OPEN;
  let cancelTimer: (() => void) | undefined;
  const closed = new Promise<void>((resolve) => {
    webSocket.once('close', () => {
      cancelTimer?.();
      resolve();
    });
  });
  let isEnded = false;
  return {
    isOpen,
    isEnded: () => isEnded,
    post: (frame) => {
      if (!isOpen()) return;
      if (socket.writableLength > ENTRANCE_LIMITS.backlogDropBytes) cutOff('does not read');
      else outbox.post(frame);
    },
    backlog: () => socket.writableLength,
    close: (code, reason) => {
      if (isOpen()) {
        isEnded = true;
        outbox.flush();
        webSocket.close(code, reason);
      }
      // Also for a client that has begun to close and then holds the connection.
      cancelTimer ??= clock.setTimer(CLOSE_WITHIN_MS, () => webSocket.terminate());
      return closed;
    },
  };
}

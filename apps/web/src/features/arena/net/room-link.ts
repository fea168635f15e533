import { type Failure, failure } from '@engulf/domain/errors/registry';
import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { OutgoingMessage } from '@engulf/protocol/room/compact-frames';
import { type JoinOptions, roomAddress } from '@engulf/protocol/room/join';
import { openRoomSocket, type RoomSocket } from '@engulf/protocol/room/room-socket';
import { CLOSE_CODES } from '@engulf/protocol/room/server-messages';
import { createRoomReader, type RoomMessage } from './events.ts';

/** Then it is given up: while one connection to a server is being made, browsers open no other. */
const OPEN_WITHIN_MS = 10_000;
/** How long a connection in place of a broken one has to bring its first state; enough for one that is only slow. */
const RENEWED_WITHIN_MS = 4_500;
/** The server keeps the connection of a game that is over as long. */
const KEPT_MS = 30_000;
/** A line that died meanwhile gives no answer, and a new connection is made soon enough. */
const AGAIN_WITHIN_MS = 2_500;
/** The body is removed ten seconds after its player is gone, so come back early and often. */
const RESUME = { firstDelayMs: 250, maxDelayMs: 1_500, tries: 12 } as const;

/** What browsers report for a line that breaks. */
const ABNORMAL = 1006;

/** A seat in a room, whichever connection it has. */
export type RoomLink = {
  /** Returns whether it was sent: nothing is while the connection is down. */
  send(...message: OutgoingMessage): boolean;
  /** Gives up a silent connection for another one to the same seat, unless that was done a moment ago. */
  renew(): void;
  /** Gives up the seat. A body that is still in the arena stays for a while, then it counts as a forfeit. */
  leave(): void;
};

export type RoomHandlers = {
  /** An encoded state update. */
  onState(bytes: Uint8Array): void;
  onMessage(message: RoomMessage): void;
  /** The connection broke; trying to come back. */
  onDropped(code: number): void;
  onReconnected(): void;
  /** Closed for good, by either side. */
  onClosed(code: number): void;
};

/** Nothing is delivered before the promise has resolved. */
export type JoinRoom = (
  endpoint: string,
  options: JoinOptions,
  handlers: RoomHandlers,
) => Promise<Result<RoomLink, Failure>>;

export const joinRoom: JoinRoom = async (endpoint, options, handlers) => {
  const address = roomAddress(endpoint, options.lobbyId);
  const connect = () => new WebSocket(address);
  try {
    const finished = takeFinished(address);
    const joined =
      finished && options.type === 'player'
        ? await finished.joinAgain(options, AGAIN_WITHIN_MS)
        : await openRoomSocket(connect(), { type: 'join', options }, OPEN_WITHIN_MS);
    if (!joined.ok) return joined;
    const { link, listen } = createLink(joined.value, address, connect, handlers);
    // The caller gets the link first.
    setTimeout(listen);
    return ok(link);
  } catch {
    // The browser refuses the address.
    return err(failure('DISCONNECTED'));
  }
};

function createLink(first: RoomSocket, address: string, connect: () => WebSocket, handlers: RoomHandlers) {
  let socket = first;
  /** The connection that is being made in place of a broken one. */
  let opening: WebSocket | undefined;
  let droppedMs = Number.NEGATIVE_INFINITY;
  let isOver = false;
  let hasLeft = false;

  const link: RoomLink = {
    // Input queued while the line is down would be stale by the time it is sent.
    send: (...message) => socket.send(...message),
    renew: () => {
      if (performance.now() - droppedMs < RENEWED_WITHIN_MS || opening) return;
      // On a dead line the browser may report its end much later, which is not waited for.
      const silent = socket;
      drop(ABNORMAL);
      silent.drop();
    },
    leave: () => {
      hasLeft = true;
      if (isOver && socket.isOpen()) keepFinished(address, socket);
      else socket.leave();
      opening?.close();
    },
  };
  // It may have been replaced by then: timers of a hidden tab are late.
  return { link, listen: () => socket === first && listenTo(first) };

  function listenTo(current: RoomSocket): void {
    socket = current;
    const read = createRoomReader();
    const isWanted = () => socket === current && !opening && !hasLeft;
    current.listen({
      onState: (bytes) => isWanted() && handlers.onState(bytes),
      onMessage: (message) => {
        const readable = read(message);
        if (readable?.type === 'gameOver') isOver = true;
        if (readable && isWanted()) handlers.onMessage(readable);
      },
      onClosed: (code) => {
        if (!isWanted()) return;
        if (isFinal(code)) handlers.onClosed(code);
        else drop(code);
      },
    });
  }

  function drop(code: number): void {
    droppedMs = performance.now();
    opening = connect();
    handlers.onDropped(code);
    void comeBack();
  }

  async function comeBack(): Promise<void> {
    const { resumeToken: token } = socket;
    let delayMs: number = RESUME.firstDelayMs;
    for (let tries = 1; ; tries++) {
      const resumed = await openRoomSocket(opening!, { type: 'resume', token }, RENEWED_WITHIN_MS);
      if (hasLeft) {
        if (resumed.ok) resumed.value.leave();
        return;
      }
      if (resumed.ok) {
        opening = undefined;
        socket = resumed.value;
        handlers.onReconnected();
        listenTo(resumed.value);
        return;
      }
      if (resumed.error.code !== 'DISCONNECTED' || tries === RESUME.tries) break;
      await new Promise((resolve) => setTimeout(resolve, delayMs));
      if (hasLeft) return;
      delayMs = Math.min(RESUME.maxDelayMs, 2 * delayMs);
      opening = connect();
    }
    handlers.onClosed(CLOSE_CODES.refused);
  }
}

/** The connection of a game that is over: the next game in the same lobby is played on it. */
let kept: { readonly address: string; readonly socket: RoomSocket; readonly timer: number } | undefined;

function keepFinished(address: string, socket: RoomSocket): void {
  takeFinished(address)?.leave();
  socket.listen({ onState: () => {}, onMessage: () => {}, onClosed: () => {} });
  kept = { address, socket, timer: window.setTimeout(() => takeFinished(address)?.leave(), KEPT_MS) };
}

/** Undefined if none was kept for this address, or it is closed by now. One that was kept for another is left. */
function takeFinished(address: string): RoomSocket | undefined {
  const before = kept;
  kept = undefined;
  window.clearTimeout(before?.timer);
  if (before?.address === address && before.socket.isOpen()) return before.socket;
  before?.socket.leave();
  return undefined;
}

/** Whether the server has closed the connection on purpose. */
function isFinal(code: number): boolean {
  return Object.values<number>(CLOSE_CODES).includes(code);
}

import { createCrowd } from '@engulf/protocol/crowd';
import { createKeyedLimit } from '@engulf/protocol/keyed-limit';
import type { MessageLimit } from '@engulf/protocol/token-bucket';

/** How many menu sockets there may be, in this process. */
const MAX_SOCKETS = 2_000;
const MAX_SOCKETS_PER_ADDRESS = 20;
/** Opening and closing sockets costs more than keeping them. */
const HANDSHAKES_PER_ADDRESS: MessageLimit = { perSecond: 2, burst: 60 };
/** All questions of an address together; each event of a socket has its own limit as well. */
const QUESTIONS_PER_ADDRESS: MessageLimit = { perSecond: 5, burst: 80 };

export type SocketLimits = {
  /** Why another socket from this address is refused; undefined if it is allowed. */
  refuseHandshake(address: string): string | undefined;
  /** Counts a socket that was opened. False if it is one too many. `close` closes it. */
  open(address: string, close: () => void): boolean;
  closed(address: string, close: () => void): void;
  takeQuestion(address: string): boolean;
};

/** Counts sockets and questions by client address; `scale` raises what one address may do. */
export function createSocketLimits(scale: number, nowMs: () => number): SocketLimits {
  const clock = { monotonicMs: nowMs };
  const mayConnect = createKeyedLimit(HANDSHAKES_PER_ADDRESS, clock, scale);
  const mayAsk = createKeyedLimit(QUESTIONS_PER_ADDRESS, clock, scale);
  /** How to close each socket. */
  const open = createCrowd<() => void>();
  let total = 0;
  const isFull = (address: string) => open.countOf(address) >= MAX_SOCKETS_PER_ADDRESS * scale;
  /** Many addresses with many sockets each must not keep out others, who need one. */
  const makeRoom = (address: string): boolean => {
    const close = open.takeFromMost(address);
    if (!close) return false;
    total--;
    // A polling socket may take a while to close.
    close();
    return true;
  };
  return {
    refuseHandshake: (address) => {
      if (isFull(address)) return 'Too many connections from your address. Close other tabs of this page.';
      if (!mayConnect(address)) return 'Too many attempts. Try again later.';
      const isRoom = total < MAX_SOCKETS || makeRoom(address);
      return isRoom ? undefined : 'The server has too many connections. Try again later.';
    },
    open: (address, close) => {
      const isWelcome = total < MAX_SOCKETS && !isFull(address);
      open.add(address, close);
      total++;
      return isWelcome;
    },
    closed: (address, close) => {
      if (open.remove(address, close)) total--;
    },
    takeQuestion: (address) => mayAsk(address),
  };
}

import { createBucket, type MessageLimit, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';

/** How many menu sockets there may be, in this process. */
const MAX_SOCKETS = 2_000;
const MAX_SOCKETS_PER_ADDRESS = 20;
/** Opening and closing sockets costs more than keeping them. */
const HANDSHAKES_PER_ADDRESS: MessageLimit = { perSecond: 2, burst: 60 };
/** All questions of an address together; each event of a socket has its own limit as well. */
const QUESTIONS_PER_ADDRESS: MessageLimit = { perSecond: 5, burst: 80 };
/** By then all buckets of a visitor who left are full again. */
const REMEMBERED_MS = 60_000;

export type SocketLimits = {
  /** Why another socket from this address is refused; undefined if it is allowed. */
  refuseHandshake(address: string): string | undefined;
  /** Counts a socket that was opened. False if it is one too many. `close` closes it. */
  open(address: string, close: () => void): boolean;
  closed(address: string, close: () => void): void;
  takeQuestion(address: string): boolean;
};

type Visitor = {
  /** How to close each of its sockets, oldest first. */
  readonly sockets: Set<() => void>;
  seenAtMs: number;
  readonly handshakes: TokenBucket;
  readonly questions: TokenBucket;
};

/** Counts sockets and questions by client address; `scale` raises what one address may do. */
export function createSocketLimits(scale: number, nowMs: () => number): SocketLimits {
  const visitors = new Map<string, Visitor>();
  let total = 0;
  let sweptAtMs = nowMs();
  const bucket = ({ perSecond, burst }: MessageLimit) =>
    createBucket({ perSecond: perSecond * scale, burst: burst * scale }, nowMs());
  const visitorAt = (address: string): Visitor => {
    const visitor = visitors.get(address) ?? {
      sockets: new Set(),
      seenAtMs: 0,
      handshakes: bucket(HANDSHAKES_PER_ADDRESS),
      questions: bucket(QUESTIONS_PER_ADDRESS),
    };
    visitors.set(address, visitor);
    visitor.seenAtMs = nowMs();
    return visitor;
  };
  const sweep = () => {
    if (nowMs() - sweptAtMs < REMEMBERED_MS) return;
    sweptAtMs = nowMs();
    for (const [address, { sockets, seenAtMs }] of visitors)
      if (sockets.size === 0 && seenAtMs < sweptAtMs - REMEMBERED_MS) visitors.delete(address);
  };
  const isFull = ({ sockets }: Visitor) => sockets.size >= MAX_SOCKETS_PER_ADDRESS * scale;
  const forget = ({ sockets }: Visitor, close: () => void) => {
    if (sockets.delete(close)) total--;
  };
  /** Many addresses with many sockets each must not keep out others, who need one. */
  const makeRoom = (newcomer: Visitor): boolean => {
    let most = newcomer;
    for (const visitor of visitors.values()) if (visitor.sockets.size > most.sockets.size) most = visitor;
    if (most.sockets.size <= newcomer.sockets.size + 1) return false;
    const [closeOldest] = most.sockets;
    closeOldest!();
    // A polling socket may take a while to close.
    forget(most, closeOldest!);
    return true;
  };
  return {
    refuseHandshake: (address) => {
      sweep();
      const visitor = visitorAt(address);
      if (isFull(visitor)) return 'Too many connections from your address. Close other tabs of this page.';
      if (!takeTokens(visitor.handshakes, 1, nowMs())) return 'Too many attempts. Try again later.';
      const isRoom = total < MAX_SOCKETS || makeRoom(visitor);
      return isRoom ? undefined : 'The server has too many connections. Try again later.';
    },
    open: (address, close) => {
      const visitor = visitorAt(address);
      const isWelcome = total < MAX_SOCKETS && !isFull(visitor);
      visitor.sockets.add(close);
      total++;
      return isWelcome;
    },
    closed: (address, close) => forget(visitorAt(address), close),
    takeQuestion: (address) => takeTokens(visitorAt(address).questions, 1, nowMs()),
  };
}

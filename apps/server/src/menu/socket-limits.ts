import { createBucket, type MessageLimit, type TokenBucket, takeTokens } from '@engulf/protocol/token-bucket';

/** How many menu sockets there may be, in this process. */
const MAX_SOCKETS = 2_000;
const MAX_SOCKETS_PER_ADDRESS = 20;
/** All questions of an address together; each event of a socket has its own limit as well. */
const QUESTIONS_PER_ADDRESS: MessageLimit = { perSecond: 20, burst: 100 };

export type SocketLimits = {
  /** Why one more socket from there is refused; undefined if it is welcome. */
  refusalFor(address: string): string | undefined;
  /** Counts a socket that was opened. False if it is one too many. */
  open(address: string): boolean;
  close(address: string): void;
  takeQuestion(address: string): boolean;
};

type Visitor = { sockets: number; readonly questions: TokenBucket };

/** Counts sockets and questions by client address; `scale` raises what one address may do. */
export function createSocketLimits(scale: number, nowMs: () => number): SocketLimits {
  const visitors = new Map<string, Visitor>();
  let total = 0;
  const questionLimit = {
    perSecond: QUESTIONS_PER_ADDRESS.perSecond * scale,
    burst: QUESTIONS_PER_ADDRESS.burst * scale,
  };
  const refusalFor = (address: string) => {
    if (total >= MAX_SOCKETS) return 'The server has too many connections. Try again later.';
    const sockets = visitors.get(address)?.sockets ?? 0;
    return sockets < MAX_SOCKETS_PER_ADDRESS * scale
      ? undefined
      : 'Too many connections from your address. Close other tabs of this page.';
  };
  return {
    refusalFor,
    open: (address) => {
      const isWelcome = refusalFor(address) === undefined;
      const visitor = visitors.get(address) ?? {
        sockets: 0,
        questions: createBucket(questionLimit, nowMs()),
      };
      visitor.sockets++;
      total++;
      visitors.set(address, visitor);
      return isWelcome;
    },
    close: (address) => {
      const visitor = visitors.get(address)!;
      visitor.sockets--;
      total--;
      if (visitor.sockets === 0) visitors.delete(address);
    },
    takeQuestion: (address) => {
      const visitor = visitors.get(address);
      return visitor !== undefined && takeTokens(visitor.questions, 1, nowMs());
    },
  };
}

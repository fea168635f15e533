import { createKeyedLimit } from '@engulf/protocol/keyed-limit';
import { createBucket, type MessageLimit, takeTokens } from '@engulf/protocol/token-bucket';

/*
 * However many addresses ask, the matches of the same process go on: requests above what all may ask together wait, and
 * are served a few at a time, so that ticks come in between.
 */

/** What all addresses share. A request costs about half a millisecond. */
const SHARED: MessageLimit = { perSecond: 200, burst: 100 };
/** Where no match runs in the same process, so that requests only have to leave some of it to each other. */
const SHARED_WITHOUT_ROOMS: MessageLimit = { perSecond: 1_200, burst: 300 };
/** What an address has for itself once somebody there is signed in: a visit of the page, and what it asks while one plays. */
const OWN: MessageLimit = { perSecond: 5, burst: 80 };
/** Signed-in pages ask every few seconds. */
const KNOWN_MS = 10 * 60_000;
const MAX_KNOWN = 20_000;
/** Browsers wait for six answers at a time. */
const MAX_WAITING_PER_ADDRESS = 60;
const MAX_WAITING = 3_000;
const MAX_AT_ONCE = 5;

type Clock = { monotonicMs(): number; setTimer(delayMs: number, run: () => void): unknown };

export type WaitingLine = {
  /** Calls `serve` at once or when it is the address's turn. False if too many wait already. */
  enter(address: string, serve: () => void): boolean;
  /** Somebody at this address is signed in. */
  know(address: string): void;
};

export function createWaitingLine(clock: Clock, scale: number, hasRooms: boolean): WaitingLine {
  const { perSecond, burst } = hasRooms ? SHARED : SHARED_WITHOUT_ROOMS;
  const shared = createBucket({ perSecond: perSecond * scale, burst: burst * scale }, clock.monotonicMs());
  const takeOwn = createKeyedLimit(OWN, clock, scale);
  const known = new Map<string, number>();
  /** In the order of their turns: an address that was served goes to the end. */
  const waiting = new Map<string, (() => void)[]>();
  let count = 0;

  const isKnown = (address: string) => (known.get(address) ?? -KNOWN_MS) > clock.monotonicMs() - KNOWN_MS;
  const serveNext = () => {
    const [address, requests] = waiting.entries().next().value!;
    const serve = requests.shift()!;
    count--;
    waiting.delete(address);
    if (requests.length > 0) waiting.set(address, requests);
    serve();
  };
  const wait = () => {
    clock.setTimer(Math.ceil(1_000 / shared.limit.perSecond), () => {
      for (let served = 0; served < MAX_AT_ONCE && count > 0; served++) {
        if (!takeTokens(shared, 1, clock.monotonicMs())) break;
        serveNext();
      }
      if (count > 0) wait();
    });
  };

  return {
    enter: (address, serve) => {
      const own = waiting.get(address) ?? [];
      const isNext = isKnown(address) && takeOwn(address);
      if (isNext || (count === 0 && takeTokens(shared, 1, clock.monotonicMs()))) {
        serve();
        return true;
      }
      if (own.length >= MAX_WAITING_PER_ADDRESS * scale || count >= MAX_WAITING) return false;
      own.push(serve);
      waiting.set(address, own);
      count++;
      if (count === 1) wait();
      return true;
    },
    know: (address) => {
      known.delete(address);
      known.set(address, clock.monotonicMs());
      if (known.size > MAX_KNOWN) known.delete(known.keys().next().value!);
    },
  };
}

import { MIN_MOVEMENT_GAP_MS } from '@engulf/protocol/room/client-messages';

export type Offset = { readonly x: number; readonly y: number };

/**
 * Decides when the pointer is sent: at once after a pause, then at most every 50 ms, and only if it moved. A slight
 * move waits longer, so that a turn that follows it can be sent at once.
 */
export type PointerPace = {
  /** How long this pointer has to wait: 0 to send it now, undefined if it was sent already. */
  waitMs(offset: Offset, nowMs: number): number | undefined;
  noteSent(offset: Offset, nowMs: number): void;
  /** What was sent may be lost: the pointer is due again. */
  forget(): void;
};

const SLIGHT_MOVEMENT_GAP_MS = 2 * MIN_MOVEMENT_GAP_MS;
/** Of the distance to the centre: about six degrees. */
const SLIGHT_SHARE = 0.1;

export function createPointerPace(): PointerPace {
  let sent: Offset | undefined = { x: 0, y: 0 };
  let sentMs = Number.NEGATIVE_INFINITY;
  return {
    waitMs(offset, nowMs) {
      if (!sent) return 0;
      if (offset.x === sent.x && offset.y === sent.y) return undefined;
      const gapMs = isSlight(sent, offset) ? SLIGHT_MOVEMENT_GAP_MS : MIN_MOVEMENT_GAP_MS;
      return Math.max(0, sentMs + gapMs - nowMs);
    },
    noteSent(offset, nowMs) {
      sent = offset;
      sentMs = nowMs;
    },
    forget() {
      sent = undefined;
    },
  };
}

function isSlight(from: Offset, to: Offset): boolean {
  return Math.hypot(to.x - from.x, to.y - from.y) < SLIGHT_SHARE * Math.hypot(from.x, from.y);
}

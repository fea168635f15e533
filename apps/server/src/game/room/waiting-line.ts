import type { Clock } from '../ports.ts';

const EVERY_MS = 10;
/** So many are let in at once that a crowd is inside after some tenths of a second. */
const SHARE = 1 / 20;

/**
 * Lets people in one after the other instead of all at once. Each takes more than a millisecond of the thread that runs
 * the arenas, so ten who come in the same moment would be felt by everybody else.
 */
export function createWaitingLine(clock: Clock): () => Promise<void> {
  const waiting: (() => void)[] = [];
  let isPaused = false;

  const pause = () => {
    isPaused = true;
    clock.setTimer(EVERY_MS, () => {
      isPaused = false;
      const next = waiting.splice(0, Math.ceil(waiting.length * SHARE));
      if (next.length > 0) pause();
      for (const enter of next) enter();
    });
  };

  return async () => {
    if (isPaused) await new Promise<void>((resolve) => waiting.push(resolve));
    else pause();
  };
}

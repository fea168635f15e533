import type { Clock } from '../game/ports.ts';

const CHECK_MS = 1_000;
/** Each side sends a heartbeat every second. One that has been silent for this long counts as dead. */
const SILENT_MS = 5_000;
/** How long it may take until the first one. */
const START_MS = 60_000;

/**
 * Watches the other process, which has just been started or has started this one. If this process was frozen itself, it
 * starts over, because it could not receive anything. `onCheck` is called every second, `onSilent` once.
 */
export function watchLife(
  clock: Pick<Clock, 'monotonicMs' | 'setTimer'>,
  { onCheck, onSilent }: { onCheck(): void; onSilent(): void },
): { hear(): void; cancel(): void } {
  let checkedMs = clock.monotonicMs();
  /** Ahead of time until the first message. */
  let heardMs = checkedMs + START_MS - SILENT_MS;
  const check = () => {
    const nowMs = clock.monotonicMs();
    if (nowMs - checkedMs > 2 * CHECK_MS) heardMs = Math.max(heardMs, nowMs);
    checkedMs = nowMs;
    onCheck();
    if (nowMs - heardMs > SILENT_MS) onSilent();
    else cancel = clock.setTimer(CHECK_MS, check);
  };
  let cancel = clock.setTimer(CHECK_MS, check);
  return {
    hear: () => {
      heardMs = clock.monotonicMs();
    },
    cancel: () => cancel(),
  };
}

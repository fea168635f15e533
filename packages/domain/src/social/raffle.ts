export const RAFFLE_RESULTS = ['won', 'lost', 'not_declared'] as const;

const DAY_MS = 24 * 60 * 60 * 1000;

/** The day in UTC whose raffle is open, as '2026-11-15'. */
export function raffleDay(nowMs: number): string {
  return new Date(nowMs).toISOString().slice(0, 10);
}

/** When the raffle of a day closes: the midnight that ends it. */
export function raffleDrawMs(day: string): number {
  return Date.parse(`${day}T00:00:00Z`) + DAY_MS;
}

/**
 * From when on a block decides the raffle of a day, by the time of the chain. The list closes by our own clock: if the chain's
 * were ahead of it and there were no margin, whoever entered last could know the block.
 */
export function raffleBlockMs(day: string): number {
  return raffleDrawMs(day) + 10 * 60 * 1000;
}

/** Hours, minutes and seconds until 00:00 UTC, counting the second that is running. */
export function raffleCountdown(nowMs: number): { hours: number; minutes: number; seconds: number } {
  const leftS = Math.ceil((raffleDrawMs(raffleDay(nowMs)) - nowMs) / 1000);
  return {
    hours: Math.floor(leftS / 3600),
    minutes: Math.floor(leftS / 60) % 60,
    seconds: leftS % 60,
  };
}

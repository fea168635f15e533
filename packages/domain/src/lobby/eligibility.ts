import type { TaskAction } from '../task.ts';

/** Who may play while the beta is gated. */
export function isEligible(user: {
  readonly referralCodeVerified: boolean;
  readonly isRaffleWinner: boolean;
}): boolean {
  return user.referralCodeVerified || user.isRaffleWinner;
}

export const RAFFLE_RESULTS = ['won', 'lost', 'not_declared'] as const;
export type RaffleResult = (typeof RAFFLE_RESULTS)[number];

/** The raffle asks for every task, and for a connected X account among them. */
export function mayEnterRaffle(
  tasks: readonly { readonly action: TaskAction | (string & {}); readonly isCompleted: boolean }[],
): boolean {
  return tasks.every((task) => task.isCompleted) && tasks.some((task) => task.action === 'connect');
}

const DAY_MS = 24 * 60 * 60 * 1000;

/** The raffle is drawn at 00:00 UTC. At midnight itself the countdown starts anew. */
export function msUntilRaffleDraw(nowMs: number): number {
  return DAY_MS - (((nowMs % DAY_MS) + DAY_MS) % DAY_MS);
}

/** 'HH:MM:SS', counting the second that is running. */
export function raffleCountdownText(nowMs: number): string {
  const leftS = Math.ceil(msUntilRaffleDraw(nowMs) / 1000);
  const parts = [Math.floor(leftS / 3600), Math.floor(leftS / 60) % 60, leftS % 60];
  return parts.map((part) => String(part).padStart(2, '0')).join(':');
}

import { type Random, randomBetween } from '@engulf/sim/random';
import type { Account } from './cast.ts';

/** One person with two windows: the pointer is in one of them, or on its way. */
export type Desk = { holder: Account | undefined; fromTick: number; untilTick: number };

/** Two to six seconds in a window, then half a second to the other. */
export function holdsPointer(
  desk: Desk,
  account: Account,
  others: readonly Account[],
  tick: number,
  random: Random,
): boolean {
  if (tick >= desk.untilTick) {
    desk.holder = desk.holder === account ? others[0] : account;
    desk.fromTick = tick + Math.floor(randomBetween(random, 8, 16));
    desk.untilTick = desk.fromTick + Math.floor(randomBetween(random, 50, 150));
  }
  return desk.holder === account && tick >= desk.fromTick;
}

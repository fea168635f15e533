import { EPOCHS } from './keys.ts';
import { rekeyStreams } from './random.ts';
import { deriveEpochTicks, type Rules } from './rules.ts';
import type { World } from './world.ts';

/*
 * Everything random in an epoch comes from a key of its own, so that an epoch can be published when it is over. Which epoch it
 * is follows from the tick: no command can begin one early, late or twice.
 */

/** Of the last step before a tick. The first one, if there was none. */
export function epochAt(rules: Rules, tick: number): number {
  const epochTicks = deriveEpochTicks(rules);
  if (epochTicks === 0) return 0;
  return Math.min(EPOCHS, Math.max(1, Math.ceil(tick / epochTicks))) - 1;
}

/** Whether an epoch is over at this tick, and the next step belongs to another. */
export function isEpochOver(rules: Rules, tick: number): boolean {
  const epochTicks = deriveEpochTicks(rules);
  return epochTicks > 0 && tick > 0 && tick % epochTicks === 0 && tick / epochTicks < EPOCHS;
}

/** Before a step. */
export function enterEpoch({ rules, clock, keys, streams }: World): void {
  if (isEpochOver(rules, clock.tick)) rekeyStreams(streams, keys(epochAt(rules, clock.tick + 1)));
}

import type { World } from '../world.ts';

/** Somebody new has the slot, who is not known to be a newcomer. */
export function forgetNewcomer({ newcomers, players, stepRules }: World, player: number): void {
  newcomers.shelteredUntilTick[player] = 0;
  newcomers.isCompanion[player] = 0;
  const isHungry = stepRules.hungryTicks > 0 && !players.isBot[player];
  newcomers.isHungry[player] = isHungry ? 1 : 0;
  if (isHungry) players.invulnerableUntilTick[player]! += stepRules.hungryTicks;
}

export function shelter({ newcomers, clock, stepRules }: World, player: number): void {
  newcomers.shelteredUntilTick[player] = clock.tick + stepRules.shelterTicks;
}

export function isSheltered({ newcomers, clock }: World, player: number): boolean {
  return clock.tick < newcomers.shelteredUntilTick[player]!;
}

/** The first crumb takes away what protection was lengthened by. */
export function noteCrumb({ newcomers, players, clock, stepRules }: World, player: number): void {
  if (!newcomers.isHungry[player]) return;
  newcomers.isHungry[player] = 0;
  const untilTick = players.invulnerableUntilTick[player]! - stepRules.hungryTicks;
  players.invulnerableUntilTick[player] = Math.max(clock.tick, untilTick);
}

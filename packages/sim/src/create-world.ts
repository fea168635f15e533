import { foodWanted, placeFood } from './food.ts';
import type { MatchKey } from './keys.ts';
import { placeVirus, virusesWanted } from './mechanics/viruses.ts';
import { type Rules, standardRules } from './rules.ts';
import { emptyWorld, type World } from './world.ts';

export type WorldOptions = {
  /** From `matchKeyOf` or `keysUpTo`. Together with the commands, it decides everything. */
  readonly key: MatchKey;
  readonly rules?: Rules;
  /** Left over from an earlier world of the same lobby. */
  readonly spill?: bigint;
};

export function createWorld({ key, rules = standardRules, spill = 0n }: WorldOptions): World {
  const world = emptyWorld(key, rules, spill);
  const { food, streams, tide } = world;
  while (food.count < foodWanted(rules, tide)) placeFood(food, rules, streams.food, tide.size);
  food.changeCount = 0;
  for (let i = virusesWanted(world); i > 0; i--) placeVirus(world);
  return world;
}

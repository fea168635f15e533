import { placeFood } from './food.ts';
import { placeVirus } from './mechanics/viruses.ts';
import { type Rules, standardRules } from './rules.ts';
import { emptyWorld, type World } from './world.ts';

export type WorldOptions = {
  /** Together with the commands, this decides everything. */
  readonly seed: number;
  readonly rules?: Rules;
  /** Left over from an earlier world of the same lobby. */
  readonly spill?: bigint;
};

export function createWorld({ seed, rules = standardRules, spill = 0n }: WorldOptions): World {
  const world = emptyWorld(seed, rules, spill);
  while (world.food.count < rules.food.count) placeFood(world.food, rules, world.random);
  world.food.changeCount = 0;
  for (let i = 0; i < rules.viruses.count; i++) placeVirus(world);
  return world;
}

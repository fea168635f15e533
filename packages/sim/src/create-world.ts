import { placeFood } from './food.ts';
import { placeVirus } from './mechanics/viruses.ts';
import { type Rules, standardRules } from './rules.ts';
import { emptyWorld, type World } from './world.ts';

export type WorldOptions = {
  /** 32 bytes from `matchKeyOf`. Together with the commands, they decide everything. */
  readonly key: Uint8Array;
  readonly rules?: Rules;
  /** Left over from an earlier world of the same lobby. */
  readonly spill?: bigint;
};

export function createWorld({ key, rules = standardRules, spill = 0n }: WorldOptions): World {
  const world = emptyWorld(key, rules, spill);
  while (world.food.count < rules.food.count) placeFood(world.food, rules, world.streams.food);
  world.food.changeCount = 0;
  for (let i = 0; i < rules.viruses.count; i++) placeVirus(world);
  return world;
}

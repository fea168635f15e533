import { randomBelow } from '@engulf/sim/random';
import { tideSizeFor } from '@engulf/sim/tide';
import { floodFood, placeFoodAt } from './food.ts';
import { type ReferenceWorld, removeBody } from './world.ts';

/** Moves the water; what it reaches sinks, and what it leaves gets its food. */
export function advanceTide(world: ReferenceWorld): void {
  const { rules, tide } = world;
  const { risingSpeed, fallingSpeed } = rules.tide;
  const before = tide.size;
  if (tide.goal > before) {
    tide.size = Math.min(tide.goal, before + (2 * fallingSpeed) / rules.stepsPerSecond);
    const share = tide.size / rules.worldSize;
    while (world.foodCount < Math.floor(rules.food.count * (share * share))) placeAtShore(world, before);
  } else if (tide.goal < before && !tide.isHeld && world.tick >= tide.risesAtTick) {
    tide.size = Math.max(tide.goal, before - (2 * risingSpeed) / rules.stepsPerSecond);
    floodFood(world);
    for (const body of world.bodies) {
      if (body && body.kind !== 'cell' && !isDry(world, tide.size, body.x, body.y, 0))
        removeBody(world, body);
    }
  }
}

/** The water follows the living and waits for everybody who would be touched. */
export function decideTide(world: ReferenceWorld): void {
  const { rules, stepRules, tide } = world;
  const goal = tideSizeFor(rules, world.players.filter(({ isAlive }) => isAlive).length);
  const wasRising = tide.goal < tide.size;
  const begins = goal < tide.size && goal !== tide.goal && !wasRising;
  tide.goal = goal;
  if (begins) tide.risesAtTick = world.tick + 1 + stepRules.tideNoticeTicks;
  const next = tide.size - (2 * rules.tide.risingSpeed) / rules.stepsPerSecond - (tide.isHeld ? 160 : 0);
  tide.isHeld =
    goal < tide.size &&
    world.bodies.some((body) => body?.kind === 'cell' && !isDry(world, next, body.x, body.y, body.radius));
}

function placeAtShore(world: ReferenceWorld, before: number): void {
  const { rules, streams, tide } = world;
  const near = Math.ceil((rules.worldSize - tide.size) / 2);
  const width = rules.worldSize - 2 * near;
  const strip = Math.max(1, Math.ceil((tide.size - before) / 2));
  for (let isPlaced = false; !isPlaced; ) {
    const along = near + randomBelow(streams.food, width);
    const across = randomBelow(streams.food, strip);
    const side = randomBelow(streams.food, 4);
    const at = side < 2 ? near + across : near + width - 1 - across;
    isPlaced = side % 2 === 0 ? placeFoodAt(world, along, at) : placeFoodAt(world, at, along);
  }
}

function isDry({ rules }: ReferenceWorld, size: number, x: number, y: number, room: number): boolean {
  const low = (rules.worldSize - size) / 2;
  const high = rules.worldSize - low;
  return x - room >= low && x + room <= high && y - room >= low && y + room <= high;
}

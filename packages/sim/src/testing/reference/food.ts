import { FOOD_CHUNK, FOOD_SLOTS } from '@engulf/sim/food';
import { randomBelow } from '@engulf/sim/random';
import { MILLI } from '@engulf/sim/rules';
import { insertItem, removeItem, search } from './quad-tree.ts';
import { type Body, boxAround, type Food, type ReferenceWorld, setMass, type Thing } from './world.ts';

const COLOURS = 20;

/** Every cell eats the food whose centre it covers. */
export function eatFood(world: ReferenceWorld): void {
  for (const cell of world.bodies) {
    if (cell?.kind !== 'cell') continue;
    const covered = foodUnder(world, cell);
    if (covered.length === 0) continue;
    let eatenMilli = 0;
    for (const food of covered) {
      eatenMilli += food.mass * MILLI;
      removeItem<Thing>(food);
      countFood(world, food.x, food.y, -1);
    }
    setMass(cell, cell.massMilli + eatenMilli);
  }
}

function foodUnder(world: ReferenceWorld, cell: Body): Food[] {
  return thingsNear(world, cell).filter((thing) => {
    if (thing.kind !== 'food' || !thing.node) return false;
    const dx = thing.x - cell.x;
    const dy = thing.y - cell.y;
    return dx * dx + dy * dy < cell.radius * cell.radius;
  }) as Food[];
}

/** Reuses the result of the search for prey, unless the cell has grown since or is new. */
function thingsNear(world: ReferenceWorld, cell: Body): readonly Thing[] {
  const isBoxCurrent = cell.x + cell.radius === cell.box.right;
  return cell.nearby && isBoxCurrent ? cell.nearby : search(world.finder, boxAround(cell));
}

/** Regrows what was eaten, at most so much a second. */
export function growFood(world: ReferenceWorld): void {
  const { respawnPerSecond } = world.rules.food;
  const share = world.tide.size / world.rules.worldSize;
  const count = foodWanted(world);
  const grown = world.foodGrowthCarry + (respawnPerSecond / world.rules.stepsPerSecond) * (share * share);
  world.foodGrowthCarry = Math.min(grown, count);
  while (world.foodGrowthCarry >= 1 && world.foodCount < count) {
    placeFood(world);
    world.foodGrowthCarry--;
  }
  if (world.foodCount >= count) world.foodGrowthCarry = 0;
}

/** Puts one piece of food somewhere at random; a crowded square is passed over. */
export function placeFood(world: ReferenceWorld): void {
  const random = world.streams.food;
  const near = Math.ceil((world.rules.worldSize - world.tide.size) / 2);
  const width = world.rules.worldSize - 2 * near;
  for (;;) {
    const x = near + randomBelow(random, width);
    const y = near + randomBelow(random, width);
    if (placeFoodAt(world, x, y)) return;
  }
}

/** False in a crowded square. */
export function placeFoodAt(world: ReferenceWorld, x: number, y: number): boolean {
  if ((world.foodPerSquare[squareOf(world, x, y)] ?? 0) >= FOOD_SLOTS) return false;
  const random = world.streams.food;
  const mass = randomFoodMass(world);
  const colour = randomBelow(random, COLOURS);
  const box = { left: x, top: y, right: x, bottom: y };
  insertItem<Thing>(world.finder, { kind: 'food', x, y, mass, colour, box, node: undefined });
  countFood(world, x, y, 1);
  return true;
}

export function foodWanted({ rules, tide }: ReferenceWorld): number {
  const share = tide.size / rules.worldSize;
  return Math.floor(rules.food.count * (share * share));
}

/** Removes what is under water. */
export function floodFood(world: ReferenceWorld): void {
  const low = (world.rules.worldSize - world.tide.size) / 2;
  const high = world.rules.worldSize - low;
  for (const thing of search(world.finder, world.finder.box)) {
    if (thing.kind !== 'food') continue;
    if (thing.x >= low && thing.x <= high && thing.y >= low && thing.y <= high) continue;
    removeItem<Thing>(thing);
    countFood(world, thing.x, thing.y, -1);
  }
}

function countFood(world: ReferenceWorld, x: number, y: number, change: number): void {
  const square = squareOf(world, x, y);
  world.foodPerSquare[square] = (world.foodPerSquare[square] ?? 0) + change;
  world.foodCount += change;
}

function squareOf({ rules }: ReferenceWorld, x: number, y: number): number {
  return Math.floor(y / FOOD_CHUNK) * Math.ceil(rules.worldSize / FOOD_CHUNK) + Math.floor(x / FOOD_CHUNK);
}

function randomFoodMass({ rules, streams }: ReferenceWorld): number {
  const { mass1, mass2, mass4 } = rules.food.share;
  const draw = randomBelow(streams.food, mass1 + mass2 + mass4);
  return draw < mass1 ? 1 : draw < mass1 + mass2 ? 2 : 4;
}

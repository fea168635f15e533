import { type Random, randomBelow } from './random.ts';
import { MILLI, type Rules } from './rules.ts';

/** World units along one side of a chunk: offsets inside it fit one byte. */
export const FOOD_CHUNK = 256;
/** Places for food in one chunk. */
export const FOOD_SLOTS = 32;
const COLOURS = 20;

/**
 * Food is kept in square chunks with a fixed number of places, so that a viewer can follow the chunks in its
 * view. Place `chunk * FOOD_SLOTS + slot` is free while its mass is 0. `changes` lists the places that were
 * filled or emptied in the last step, in order.
 */
export type Food = {
  readonly chunksPerSide: number;
  readonly mass: Uint8Array;
  readonly offsetX: Uint8Array;
  readonly offsetY: Uint8Array;
  readonly colour: Uint8Array;
  /** Places of a chunk from this slot on are free. */
  readonly chunkTop: Uint8Array;
  readonly changes: Int32Array;
  changeCount: number;
  count: number;
  /** The fraction of a piece that growth still owes. */
  growthCarry: number;
};

export function createFood(rules: Rules): Food {
  const chunksPerSide = Math.ceil(rules.worldSize / FOOD_CHUNK);
  const chunks = chunksPerSide * chunksPerSide;
  const places = chunks * FOOD_SLOTS;
  if (rules.food.count > places / 4) {
    throw new RangeError(`${rules.food.count} pieces of food are too many for a world of ${rules.worldSize}`);
  }
  return {
    chunksPerSide,
    mass: new Uint8Array(places),
    offsetX: new Uint8Array(places),
    offsetY: new Uint8Array(places),
    colour: new Uint8Array(places),
    chunkTop: new Uint8Array(chunks),
    changes: new Int32Array(4 * rules.food.count + 256),
    changeCount: 0,
    count: 0,
    growthCarry: 0,
  };
}

/** Puts one piece of food at a random position; a full chunk is skipped. */
export function placeFood(food: Food, rules: Rules, random: Random): void {
  for (;;) {
    const x = randomBelow(random, rules.worldSize);
    const y = randomBelow(random, rules.worldSize);
    const chunk = ((y / FOOD_CHUNK) | 0) * food.chunksPerSide + ((x / FOOD_CHUNK) | 0);
    const first = chunk * FOOD_SLOTS;
    const place = food.mass.indexOf(0, first);
    if (place < 0 || place >= first + FOOD_SLOTS) continue;
    food.mass[place] = randomFoodMass(rules, random);
    food.offsetX[place] = x % FOOD_CHUNK;
    food.offsetY[place] = y % FOOD_CHUNK;
    food.colour[place] = randomBelow(random, COLOURS);
    if (place - first >= food.chunkTop[chunk]!) food.chunkTop[chunk] = place - first + 1;
    food.count++;
    noteChange(food, place);
    return;
  }
}

/** Empties a place and returns its mass in thousandths. */
export function takeFood(food: Food, place: number): number {
  const massMilli = food.mass[place]! * MILLI;
  food.mass[place] = 0;
  const chunk = (place / FOOD_SLOTS) | 0;
  const first = chunk * FOOD_SLOTS;
  let top = food.chunkTop[chunk]!;
  while (top > 0 && food.mass[first + top - 1] === 0) top--;
  food.chunkTop[chunk] = top;
  food.count--;
  noteChange(food, place);
  return massMilli;
}

/** Regrows eaten food at a limited rate. */
export function growFood(food: Food, rules: Rules, random: Random): void {
  food.growthCarry = Math.min(
    food.growthCarry + rules.food.respawnPerSecond / rules.stepsPerSecond,
    rules.food.count,
  );
  while (food.growthCarry >= 1 && food.count < rules.food.count) {
    placeFood(food, rules, random);
    food.growthCarry--;
  }
  if (food.count >= rules.food.count) food.growthCarry = 0;
}

function randomFoodMass(rules: Rules, random: Random): number {
  const { mass1, mass2, mass4 } = rules.food.share;
  const draw = randomBelow(random, mass1 + mass2 + mass4);
  return draw < mass1 ? 1 : draw < mass1 + mass2 ? 2 : 4;
}

function noteChange(food: Food, place: number): void {
  food.changes[food.changeCount++] = place;
}

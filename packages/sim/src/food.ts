import { type Random, randomBelow } from './random.ts';
import { MILLI, type Rules } from './rules.ts';
import { dryShare, shoreOf, type Tide } from './tide.ts';

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
export function placeFood(food: Food, rules: Rules, random: Random, drySize: number): void {
  const near = Math.ceil(shoreOf(rules, drySize));
  const width = rules.worldSize - 2 * near;
  for (;;) {
    const x = near + randomBelow(random, width);
    const y = near + randomBelow(random, width);
    if (fillPlace(food, rules, random, x, y)) return;
  }
}

/** The same, but only where the water has just left: outside the square of size `before`. */
export function placeFoodAtShore(
  food: Food,
  rules: Rules,
  random: Random,
  before: number,
  drySize: number,
): void {
  const near = Math.ceil(shoreOf(rules, drySize));
  const width = rules.worldSize - 2 * near;
  const strip = Math.max(1, Math.ceil((drySize - before) / 2));
  for (;;) {
    const along = near + randomBelow(random, width);
    const across = randomBelow(random, strip);
    const side = randomBelow(random, 4);
    const at = side < 2 ? near + across : near + width - 1 - across;
    const isPlaced =
      side % 2 === 0 ? fillPlace(food, rules, random, along, at) : fillPlace(food, rules, random, at, along);
    if (isPlaced) return;
  }
}

/** False if the chunk is full. */
function fillPlace(food: Food, rules: Rules, random: Random, x: number, y: number): boolean {
  const chunk = ((y / FOOD_CHUNK) | 0) * food.chunksPerSide + ((x / FOOD_CHUNK) | 0);
  const first = chunk * FOOD_SLOTS;
  const place = food.mass.indexOf(0, first);
  if (place < 0 || place >= first + FOOD_SLOTS) return false;
  food.mass[place] = randomFoodMass(rules, random);
  food.offsetX[place] = x % FOOD_CHUNK;
  food.offsetY[place] = y % FOOD_CHUNK;
  food.colour[place] = randomBelow(random, COLOURS);
  if (place - first >= food.chunkTop[chunk]!) food.chunkTop[chunk] = place - first + 1;
  food.count++;
  noteChange(food, place);
  return true;
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
export function growFood(food: Food, rules: Rules, random: Random, tide: Tide): void {
  const wanted = foodWanted(rules, tide);
  const perStep = (rules.food.respawnPerSecond / rules.stepsPerSecond) * dryShare(rules, tide);
  food.growthCarry = Math.min(food.growthCarry + perStep, wanted);
  while (food.growthCarry >= 1 && food.count < wanted) {
    placeFood(food, rules, random, tide.size);
    food.growthCarry--;
  }
  if (food.count >= wanted) food.growthCarry = 0;
}

/** As much to the area as in the whole world. */
export function foodWanted(rules: Rules, tide: Tide): number {
  return Math.floor(rules.food.count * dryShare(rules, tide));
}

/** Removes what lies outside the dry square. Only chunks at its edge are looked at: those beyond were emptied before. */
export function floodFood(food: Food, rules: Rules, drySize: number): void {
  const low = shoreOf(rules, drySize);
  const high = rules.worldSize - low;
  const last = food.chunksPerSide - 1;
  const first = Math.max(0, ((low / FOOD_CHUNK) | 0) - 1);
  const end = Math.min(last, ((high / FOOD_CHUNK) | 0) + 1);
  for (let row = first; row <= end; row++) {
    const isEdgeRow = row <= first + 1 || row >= end - 1;
    for (let column = first; column <= end; column++) {
      if (isEdgeRow || column <= first + 1 || column >= end - 1) floodChunk(food, column, row, low, high);
    }
  }
}

function floodChunk(food: Food, column: number, row: number, low: number, high: number): void {
  const first = (row * food.chunksPerSide + column) * FOOD_SLOTS;
  for (let place = first; place < first + FOOD_SLOTS; place++) {
    if (food.mass[place] === 0) continue;
    const x = column * FOOD_CHUNK + food.offsetX[place]!;
    const y = row * FOOD_CHUNK + food.offsetY[place]!;
    if (x < low || x > high || y < low || y > high) takeFood(food, place);
  }
}

function randomFoodMass(rules: Rules, random: Random): number {
  const { mass1, mass2, mass4 } = rules.food.share;
  const draw = randomBelow(random, mass1 + mass2 + mass4);
  return draw < mass1 ? 1 : draw < mass1 + mass2 ? 2 : 4;
}

function noteChange(food: Food, place: number): void {
  food.changes[food.changeCount++] = place;
}

import { FOOD_SLOTS, type Food } from '@engulf/sim/food';
import { type BitReader, type BitWriter, readBits, writeBits, writeBytes } from './bits.ts';

/**
 * Food changes, encoded once for everybody: per changed chunk, in ascending order, a run of
 * bytes. One place takes a byte (place, whether it is filled, whether more follow) and, when filled, three
 * more.
 */
export type FoodChanges = {
  /** Per chunk, the tick of its last change. */
  readonly changedTick: Int32Array;
  readonly chunks: Int32Array;
  /** The bytes of `chunks[i]` are those from `starts[i]` to `starts[i + 1]`. */
  readonly starts: Int32Array;
  readonly bytes: Uint8Array;
  readonly places: Int32Array;
  placeCount: number;
  count: number;
};

const FILLED = 32;
const MORE = 64;
const PLACE_BITS = 5;
const COLOUR_BITS = 5;

/** With room for the changes of so many ticks. */
export function createFoodChanges(food: Food, ticks: number): FoodChanges {
  const chunks = food.chunksPerSide * food.chunksPerSide;
  return {
    changedTick: new Int32Array(chunks),
    chunks: new Int32Array(chunks),
    starts: new Int32Array(chunks + 1),
    bytes: new Uint8Array(food.changes.length * 4 * ticks),
    places: new Int32Array(food.changes.length * ticks),
    placeCount: 0,
    count: 0,
  };
}

/** The changes of the last step. */
export function captureFoodChanges(changes: FoodChanges, food: Food, tick: number): void {
  changes.placeCount = food.changeCount;
  for (let i = 0; i < food.changeCount; i++) changes.places[i] = food.changes[i]!;
  encodePlaces(changes, food, tick);
}

/** The changes of the last step and those of the one before, which are in `changes` already. */
export function appendFoodChanges(changes: FoodChanges, food: Food, tick: number): void {
  for (let i = 0; i < food.changeCount; i++) changes.places[changes.placeCount++] = food.changes[i]!;
  encodePlaces(changes, food, tick);
}

/** Takes over the places of other changes; they are not encoded yet. */
export function copyChangedPlaces(from: FoodChanges, to: FoodChanges): void {
  to.placeCount = from.placeCount;
  for (let i = 0; i < from.placeCount; i++) to.places[i] = from.places[i]!;
}

function encodePlaces(changes: FoodChanges, food: Food, tick: number): void {
  const places = changes.places.subarray(0, changes.placeCount);
  places.sort();
  changes.count = 0;
  let length = 0;
  let entry = -1;
  let chunk = -1;
  for (let i = 0; i < places.length; i++) {
    const place = places[i]!;
    // A place may have been emptied and filled again; only its final state matters.
    if (i > 0 && place === places[i - 1]) continue;
    const placeChunk = (place / FOOD_SLOTS) | 0;
    if (placeChunk === chunk) {
      changes.bytes[entry]! |= MORE;
    } else {
      chunk = placeChunk;
      changes.changedTick[chunk] = tick;
      changes.chunks[changes.count] = chunk;
      changes.starts[changes.count++] = length;
    }
    entry = length;
    const isFilled = food.mass[place]! > 0;
    changes.bytes[length++] = (place % FOOD_SLOTS) | (isFilled ? FILLED : 0);
    if (!isFilled) continue;
    changes.bytes[length++] = packLook(food, place);
    changes.bytes[length++] = food.offsetX[place]!;
    changes.bytes[length++] = food.offsetY[place]!;
  }
  changes.starts[changes.count] = length;
}

export function writeChunkChange(writer: BitWriter, changes: FoodChanges, index: number): void {
  writeBytes(writer, changes.bytes, changes.starts[index]!, changes.starts[index + 1]!);
}

/** A chunk as it is now: how many places may be filled, then for each a bit and, if set, its food. */
export function writeChunk(writer: BitWriter, food: Food, chunk: number): void {
  const first = chunk * FOOD_SLOTS;
  const top = food.chunkTop[chunk]!;
  writeBits(writer, top, PLACE_BITS + 1);
  for (let place = first; place < first + top; place++) {
    if (food.mass[place] === 0) {
      writeBits(writer, 0, 1);
      continue;
    }
    writeBits(writer, 1, 1);
    // Most food has mass 1: 0 for that, 10 for 2 and 11 for 4.
    if (food.mass[place] === 1) writeBits(writer, 0, 1);
    else writeBits(writer, food.mass[place] === 2 ? 0b01 : 0b11, 2);
    writeBits(writer, food.colour[place]!, COLOUR_BITS);
    writeBits(writer, food.offsetX[place]! | (food.offsetY[place]! << 8), 16);
  }
}

/** Called for each place; mass 0 means that it is empty. */
export type FoodSink = (
  place: number,
  mass: number,
  colour: number,
  offsetX: number,
  offsetY: number,
) => void;

export function readChunkChange(reader: BitReader, sink: FoodSink): void {
  for (;;) {
    const entry = readBits(reader, 8);
    const place = entry % FOOD_SLOTS;
    if (entry & FILLED) readFood(reader, place, sink);
    else sink(place, 0, 0, 0, 0);
    if ((entry & MORE) === 0 || reader.isMalformed) return;
  }
}

export function readChunk(reader: BitReader, sink: FoodSink): void {
  const top = readBits(reader, PLACE_BITS + 1);
  if (top > FOOD_SLOTS) reader.isMalformed = true;
  for (let place = 0; place < FOOD_SLOTS; place++) {
    if (place < top && readBits(reader, 1) === 1) readFoodOfChunk(reader, place, sink);
    else sink(place, 0, 0, 0, 0);
  }
}

function readFood(reader: BitReader, place: number, sink: FoodSink): void {
  const look = readBits(reader, 8);
  const offsetX = readBits(reader, 8);
  sink(place, 1 << (look >> 5), look & 31, offsetX, readBits(reader, 8));
}

function readFoodOfChunk(reader: BitReader, place: number, sink: FoodSink): void {
  const mass = readBits(reader, 1) === 0 ? 1 : readBits(reader, 1) === 0 ? 2 : 4;
  const colour = readBits(reader, COLOUR_BITS);
  const offsetX = readBits(reader, 8);
  sink(place, mass, colour, offsetX, readBits(reader, 8));
}

/** Mass 1, 2 or 4 as its power of two, and the colour. */
function packLook(food: Food, place: number): number {
  return ((31 - Math.clz32(food.mass[place]!)) << 5) | food.colour[place]!;
}

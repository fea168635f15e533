import { FOOD_CHUNK, FOOD_SLOTS } from '@engulf/sim/food';
import { foodRadius } from '@engulf/sim/size';
import { type BitReader, readBits, readVar } from '../format/bits.ts';
import { type ChunkRect, copyRect, createChunkRect, isInRect, readRect } from '../format/chunk-rect.ts';
import { type FoodSink, readChunk, readChunkChange } from '../format/food-changes.ts';
import type { WorldHeader } from '../format/world-header.ts';
import type { ArenaDecoder } from './arena-decoder.ts';
import type { FoodView } from './arena-view.ts';

const before = createChunkRect();

export function readFood(reader: BitReader, decoder: ArenaDecoder, world: WorldHeader): void {
  const { chunks } = decoder;
  if (readBits(reader, 1) === 1) {
    copyRect(chunks, before);
    readRect(reader, chunks, world.chunksPerSide);
    forEachChunk(before, world, (chunk, column, row) => {
      if (!isInRect(chunks, column, row)) forgetChunk(decoder, chunk);
    });
    forEachChunk(chunks, world, (chunk, column, row) => {
      if (!isInRect(before, column, row) && !reader.isMalformed) {
        readChunk(reader, sinkOf(decoder, world, chunk));
      }
    });
  }
  readChangedChunks(reader, decoder, world);
}

function readChangedChunks(reader: BitReader, decoder: ArenaDecoder, world: WorldHeader): void {
  const { chunks } = decoder;
  const columns = chunks.right - chunks.left + 1;
  const size = columns * (chunks.bottom - chunks.top + 1);
  let next = 0;
  while (readBits(reader, 1) === 1) {
    const index = next + readVar(reader);
    if (reader.isMalformed || index >= size) {
      reader.isMalformed = true;
      return;
    }
    const row = chunks.top + Math.floor(index / columns);
    const chunk = row * world.chunksPerSide + chunks.left + (index % columns);
    const sink = sinkOf(decoder, world, chunk);
    if (readBits(reader, 1) === 1) readChunk(reader, sink);
    else readChunkChange(reader, sink);
    next = index + 1;
  }
}

/** Updates one place of a chunk, and reports it only if it changed. */
function sinkOf({ view, update }: ArenaDecoder, world: WorldHeader, chunk: number): FoodSink {
  const originX = (chunk % world.chunksPerSide) * FOOD_CHUNK;
  const originY = Math.floor(chunk / world.chunksPerSide) * FOOD_CHUNK;
  return (place, mass, colour, offsetX, offsetY) => {
    const id = chunk * FOOD_SLOTS + place;
    const known = view.food.get(id);
    const x = originX + offsetX;
    const y = originY + offsetY;
    if (known && isSameFood(known, x, y, mass, colour)) return;
    if (known) {
      view.food.delete(id);
      update.food.remove.push(known);
    }
    if (mass === 0) return;
    const food = { id, x, y, mass, radius: foodRadius(mass), colour };
    view.food.set(id, food);
    update.food.add.push(food);
  };
}

function isSameFood(food: FoodView, x: number, y: number, mass: number, colour: number): boolean {
  return food.mass === mass && food.x === x && food.y === y && food.colour === colour;
}

function forgetChunk({ view, update }: ArenaDecoder, chunk: number): void {
  for (let id = chunk * FOOD_SLOTS; id < (chunk + 1) * FOOD_SLOTS; id++) {
    const food = view.food.get(id);
    if (!food) continue;
    view.food.delete(id);
    update.food.remove.push(food);
  }
}

function forEachChunk(
  rect: ChunkRect,
  { chunksPerSide }: WorldHeader,
  visit: (chunk: number, column: number, row: number) => void,
): void {
  for (let row = rect.top; row <= rect.bottom; row++) {
    for (let column = rect.left; column <= rect.right; column++) {
      visit(row * chunksPerSide + column, column, row);
    }
  }
}

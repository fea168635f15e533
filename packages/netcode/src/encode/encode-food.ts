import { writeBits, writeVar } from '../format/bits.ts';
import {
  type ChunkRect,
  copyRect,
  coverView,
  createChunkRect,
  isInRect,
  isSameRect,
  writeRect,
} from '../format/chunk-rect.ts';
import { type FoodChanges, writeChunk, writeChunkChange } from '../format/food-changes.ts';
import type { Viewer } from '../view.ts';
import { type ArenaFrame, foodChangesSince } from './arena-frame.ts';
import type { ViewStream } from './view-stream.ts';

const before = createChunkRect();

/**
 * The chunks that came into view, whole; then the changed ones among those already in view, each identified
 * by the number of chunks of the rectangle between the previous one and it.
 */
export function writeFood(frame: ArenaFrame, stream: ViewStream, viewer: Viewer, gap: number): void {
  const { writer, header } = frame;
  const { chunks } = stream;
  copyRect(chunks, before);
  coverView(chunks, viewer, header.chunksPerSide);
  const hasMoved = !isSameRect(before, chunks);
  writeBits(writer, hasMoved ? 1 : 0, 1);
  if (hasMoved) {
    writeRect(writer, chunks, before);
    writeNewChunks(frame, chunks);
  }
  const changes = foodChangesSince(frame, gap);
  if (changes) writeChanges(frame, changes, chunks);
  else writeChangedSince(frame, chunks, stream.tick);
  writeBits(writer, 0, 1);
}

function writeNewChunks(frame: ArenaFrame, chunks: ChunkRect): void {
  for (let row = chunks.top; row <= chunks.bottom; row++) {
    for (let column = chunks.left; column <= chunks.right; column++) {
      if (isInRect(before, column, row)) continue;
      writeChunk(frame.writer, frame.world.food, row * frame.header.chunksPerSide + column);
    }
  }
}

/** The changes since the last message, as encoded once for everyone. */
function writeChanges({ writer, header }: ArenaFrame, foodChanges: FoodChanges, chunks: ChunkRect): void {
  let next = 0;
  for (let i = 0; i < foodChanges.count; i++) {
    const chunk = foodChanges.chunks[i]!;
    const column = chunk % header.chunksPerSide;
    const row = (chunk / header.chunksPerSide) | 0;
    if (!isInRect(chunks, column, row) || !isInRect(before, column, row)) continue;
    const index = indexInRect(chunks, column, row);
    writeBits(writer, 1, 1);
    writeVar(writer, index - next);
    writeBits(writer, 0, 1);
    writeChunkChange(writer, foodChanges, i);
    next = index + 1;
  }
}

/** For a receiver that missed more ticks: their changes are gone, so every chunk that had any is sent whole. */
function writeChangedSince(frame: ArenaFrame, chunks: ChunkRect, tick: number): void {
  const { foodChanges, writer, header, world } = frame;
  let next = 0;
  for (let row = chunks.top; row <= chunks.bottom; row++) {
    for (let column = chunks.left; column <= chunks.right; column++) {
      const chunk = row * header.chunksPerSide + column;
      if (foodChanges.changedTick[chunk]! <= tick || !isInRect(before, column, row)) continue;
      const index = indexInRect(chunks, column, row);
      writeBits(writer, 1, 1);
      writeVar(writer, index - next);
      writeBits(writer, 1, 1);
      writeChunk(writer, world.food, chunk);
      next = index + 1;
    }
  }
}

function indexInRect(rect: ChunkRect, column: number, row: number): number {
  return (row - rect.top) * (rect.right - rect.left + 1) + column - rect.left;
}

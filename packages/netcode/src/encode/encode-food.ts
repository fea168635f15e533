import { writeBits, writeVar } from '../format/bits.ts';
import {
  type ChunkRect,
  copyRect,
  coverView,
  createChunkRect,
  isInRect,
  isSameRect,
  readView,
  writeRect,
} from '../format/chunk-rect.ts';
import { type FoodChanges, writeChunk, writeChunkChange } from '../format/food-changes.ts';
import type { Viewer } from '../view.ts';
import { type ArenaFrame, foodChangesSince } from './arena-frame.ts';
import type { ViewStream } from './view-stream.ts';

const before = createChunkRect();
const inSight = createChunkRect();
/** Chunks that have changed out of sight and are seen again, in ascending order. */
let seenAgain: readonly number[] = [];

/**
 * The chunks that came into view, whole; then the changed ones among those already in view, each identified
 * by the number of chunks of the rectangle between the previous one and it. A chunk that is kept although nothing of it is
 * in sight any more does not change until it is seen again: who eats there is nobody's business.
 */
export function writeFood(frame: ArenaFrame, stream: ViewStream, viewer: Viewer, gap: number): void {
  const { writer, header } = frame;
  const { chunks } = stream;
  copyRect(chunks, before);
  readView(inSight, viewer, header.chunksPerSide);
  coverView(chunks, inSight);
  const hasMoved = !isSameRect(before, chunks);
  writeBits(writer, hasMoved ? 1 : 0, 1);
  if (hasMoved) {
    writeRect(writer, chunks, before);
    writeNewChunks(frame, chunks);
  }
  seenAgain = stream.staleChunks.size === 0 ? [] : takeSeenAgain(frame, stream);
  const changes = foodChangesSince(frame, gap);
  if (changes) writeChanges(frame, stream, changes);
  else writeChangedSince(frame, stream);
  writeBits(writer, 0, 1);
}

function takeSeenAgain({ header }: ArenaFrame, { chunks, staleChunks }: ViewStream): number[] {
  const seen: number[] = [];
  for (const chunk of staleChunks) {
    const column = chunk % header.chunksPerSide;
    const row = (chunk / header.chunksPerSide) | 0;
    const isSeen = isInRect(inSight, column, row);
    if (isSeen) seen.push(chunk);
    // One that has left the rectangle is sent whole when it comes back.
    if (isSeen || !isInRect(chunks, column, row)) staleChunks.delete(chunk);
  }
  return seen.sort((a, b) => a - b);
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
function writeChanges(frame: ArenaFrame, stream: ViewStream, foodChanges: FoodChanges): void {
  const { writer, header } = frame;
  const { chunks, staleChunks } = stream;
  let next = 0;
  let again = 0;
  for (let i = 0; i < foodChanges.count; i++) {
    const chunk = foodChanges.chunks[i]!;
    const column = chunk % header.chunksPerSide;
    const row = (chunk / header.chunksPerSide) | 0;
    if (!isInRect(chunks, column, row) || !isInRect(before, column, row)) continue;
    if (!isInRect(inSight, column, row)) {
      staleChunks.add(chunk);
      continue;
    }
    while (again < seenAgain.length && seenAgain[again]! < chunk) {
      next = writeWhole(frame, chunks, seenAgain[again++]!, next);
    }
    if (seenAgain[again] === chunk) {
      next = writeWhole(frame, chunks, seenAgain[again++]!, next);
      continue;
    }
    const index = indexInRect(chunks, column, row);
    writeBits(writer, 1, 1);
    writeVar(writer, index - next);
    writeBits(writer, 0, 1);
    writeChunkChange(writer, foodChanges, i);
    next = index + 1;
  }
  while (again < seenAgain.length) next = writeWhole(frame, chunks, seenAgain[again++]!, next);
}

/** For a receiver that missed more ticks: their changes are gone, so every chunk that had any is sent whole. */
function writeChangedSince(frame: ArenaFrame, { chunks, staleChunks, tick }: ViewStream): void {
  const { foodChanges, header } = frame;
  let next = 0;
  for (let row = chunks.top; row <= chunks.bottom; row++) {
    for (let column = chunks.left; column <= chunks.right; column++) {
      if (!isInRect(before, column, row)) continue;
      const chunk = row * header.chunksPerSide + column;
      const hasChanged = foodChanges.changedTick[chunk]! > tick;
      if (!isInRect(inSight, column, row)) {
        if (hasChanged) staleChunks.add(chunk);
      } else if (hasChanged || seenAgain.includes(chunk)) next = writeWhole(frame, chunks, chunk, next);
    }
  }
}

/** Returns the index after it. */
function writeWhole(
  { writer, header, world }: ArenaFrame,
  chunks: ChunkRect,
  chunk: number,
  next: number,
): number {
  const index = indexInRect(chunks, chunk % header.chunksPerSide, (chunk / header.chunksPerSide) | 0);
  writeBits(writer, 1, 1);
  writeVar(writer, index - next);
  writeBits(writer, 1, 1);
  writeChunk(writer, world.food, chunk);
  return index + 1;
}

function indexInRect(rect: ChunkRect, column: number, row: number): number {
  return (row - rect.top) * (rect.right - rect.left + 1) + column - rect.left;
}

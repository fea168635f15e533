import { FOOD_CHUNK } from '@engulf/sim/food';
import { type BitReader, type BitWriter, readBits, writeBits } from './bits.ts';
import type { Viewer } from './view.ts';

/** The food chunks of a view as columns and rows, both ends included. Empty while `right` < `left`. */
export type ChunkRect = { left: number; top: number; right: number; bottom: number };

export function createChunkRect(): ChunkRect {
  return { left: 0, top: 0, right: -1, bottom: -1 };
}

export function clearRect(rect: ChunkRect): void {
  rect.left = 0;
  rect.top = 0;
  rect.right = -1;
  rect.bottom = -1;
}

export function copyRect(from: ChunkRect, to: ChunkRect): void {
  to.left = from.left;
  to.top = from.top;
  to.right = from.right;
  to.bottom = from.bottom;
}

/**
 * Moves a rectangle to cover a view. A side that reaches one chunk too far stays where it is, or a player who
 * moves back and forth over a chunk's edge would be sent the same food again and again.
 */
export function coverView(rect: ChunkRect, viewer: Viewer, chunksPerSide: number): void {
  const left = chunkIndex(viewer.centreX - viewer.halfWidth, chunksPerSide);
  const right = chunkIndex(viewer.centreX + viewer.halfWidth, chunksPerSide);
  const top = chunkIndex(viewer.centreY - viewer.halfHeight, chunksPerSide);
  const bottom = chunkIndex(viewer.centreY + viewer.halfHeight, chunksPerSide);
  if (rect.left !== left - 1) rect.left = left;
  if (rect.right !== right + 1) rect.right = right;
  if (rect.top !== top - 1) rect.top = top;
  if (rect.bottom !== bottom + 1) rect.bottom = bottom;
}

export function isInRect(rect: ChunkRect, column: number, row: number): boolean {
  return column >= rect.left && column <= rect.right && row >= rect.top && row <= rect.bottom;
}

export function isSameRect(a: ChunkRect, b: ChunkRect): boolean {
  return a.left === b.left && a.right === b.right && a.top === b.top && a.bottom === b.bottom;
}

export function writeRect(writer: BitWriter, rect: ChunkRect): void {
  writeBits(writer, rect.left | (rect.top << 8), 16);
  writeBits(writer, rect.right | (rect.bottom << 8), 16);
}

export function readRect(reader: BitReader, rect: ChunkRect, chunksPerSide: number): void {
  rect.left = readBits(reader, 8);
  rect.top = readBits(reader, 8);
  rect.right = readBits(reader, 8);
  rect.bottom = readBits(reader, 8);
  const isSensible =
    rect.left <= rect.right &&
    rect.top <= rect.bottom &&
    rect.right < chunksPerSide &&
    rect.bottom < chunksPerSide;
  if (isSensible) return;
  reader.isMalformed = true;
  clearRect(rect);
}

function chunkIndex(coordinate: number, chunksPerSide: number): number {
  const index = Math.floor(coordinate / FOOD_CHUNK);
  return index < 0 ? 0 : index >= chunksPerSide ? chunksPerSide - 1 : index;
}

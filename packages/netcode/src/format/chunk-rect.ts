import { FOOD_CHUNK } from '@engulf/sim/food';
import type { Viewer } from '../view.ts';
import { type BitReader, type BitWriter, readBits, writeBits } from './bits.ts';

/** The food chunks of a view as columns and rows, both ends included. Empty while `right` < `left`. */
export type ChunkRect = { left: number; top: number; right: number; bottom: number };

const SIDE_BITS = 8;

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
export function coverView(rect: ChunkRect, { left, right, top, bottom }: ChunkRect): void {
  if (rect.left !== left - 1) rect.left = left;
  if (rect.right !== right + 1) rect.right = right;
  if (rect.top !== top - 1) rect.top = top;
  if (rect.bottom !== bottom + 1) rect.bottom = bottom;
}

/** The chunks of which a view shows at least a part. */
export function readView(rect: ChunkRect, viewer: Viewer, chunksPerSide: number): void {
  rect.left = chunkIndex(viewer.centreX - viewer.halfWidth, chunksPerSide);
  rect.right = chunkIndex(viewer.centreX + viewer.halfWidth, chunksPerSide);
  rect.top = chunkIndex(viewer.centreY - viewer.halfHeight, chunksPerSide);
  rect.bottom = chunkIndex(viewer.centreY + viewer.halfHeight, chunksPerSide);
}

export function isInRect(rect: ChunkRect, column: number, row: number): boolean {
  return column >= rect.left && column <= rect.right && row >= rect.top && row <= rect.bottom;
}

export function isSameRect(a: ChunkRect, b: ChunkRect): boolean {
  return a.left === b.left && a.right === b.right && a.top === b.top && a.bottom === b.bottom;
}

/** What became of the rectangle `before`. */
export function writeRect(writer: BitWriter, rect: ChunkRect, before: ChunkRect): void {
  writeSide(writer, rect.left, before.left);
  writeSide(writer, rect.top, before.top);
  writeSide(writer, rect.right, before.right);
  writeSide(writer, rect.bottom, before.bottom);
}

export function readRect(reader: BitReader, rect: ChunkRect, chunksPerSide: number): void {
  rect.left = readSide(reader, rect.left);
  rect.top = readSide(reader, rect.top);
  rect.right = readSide(reader, rect.right);
  rect.bottom = readSide(reader, rect.bottom);
  const isSensible =
    rect.left >= 0 &&
    rect.top >= 0 &&
    rect.left <= rect.right &&
    rect.top <= rect.bottom &&
    rect.right < chunksPerSide &&
    rect.bottom < chunksPerSide;
  if (isSensible) return;
  reader.isMalformed = true;
  clearRect(rect);
}

/** 0 for the same as before, 100 for the one before it, 110 for the next one, 1x1 and its number for another. */
function writeSide(writer: BitWriter, side: number, before: number): void {
  if (side === before) writeBits(writer, 0, 1);
  else if (Math.abs(side - before) === 1) writeBits(writer, side < before ? 0b001 : 0b011, 3);
  else writeBits(writer, 0b101 | (side << 3), 3 + SIDE_BITS);
}

function readSide(reader: BitReader, before: number): number {
  if (readBits(reader, 1) === 0) return before;
  const change = readBits(reader, 2);
  return change >= 2 ? readBits(reader, SIDE_BITS) : before + (change === 1 ? 1 : -1);
}

function chunkIndex(coordinate: number, chunksPerSide: number): number {
  const index = Math.floor(coordinate / FOOD_CHUNK);
  return index < 0 ? 0 : index >= chunksPerSide ? chunksPerSide - 1 : index;
}

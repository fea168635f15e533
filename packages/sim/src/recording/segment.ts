import { err, ok, type Result } from '@engulf/domain/errors/result';
import type { PlayerId } from '../players.ts';
import { POINTER_STEP } from '../pointer.ts';
import {
  type ByteReader,
  type ByteWriter,
  createReader,
  createWriter,
  DamagedBytes,
  damaged,
  expectEnd,
  type RecordingFault,
  readBlob,
  readByte,
  readBytes,
  readCount,
  readSigned,
  readVar,
  writeBlob,
  writeByte,
  writeBytes,
  writeSigned,
  writeVar,
  writtenBytes,
} from './bytes.ts';
import { type RecordedCommand, readCommand, writeCommand } from './command-bytes.ts';

/*
 * A few seconds of a match: what was commanded before which step, where everybody pointed, a mark of the state after
 * each step, and the state's hash at the end. A segment can be read without those before it. Movement dominates, so pointers are kept by player, as columns of
 * waiting times and differences: most of these numbers take a byte and repeat.
 */

export type Segment = {
  readonly startTick: number;
  readonly tickCount: number;
  /** The saved world at the start, so that a viewer can begin here. */
  readonly keyframe: Uint8Array | undefined;
  /** In order. `after` counts the steps of this segment before the command: 0 to `tickCount`. */
  readonly commands: readonly { readonly after: number; readonly command: RecordedCommand }[];
  readonly tracks: readonly Track[];
  /** After each step, see tick-mark.ts. */
  readonly marks: Uint16Array;
  /** SHA-256 of the saved world at the end. */
  readonly stateHash: Uint8Array;
};

/** One player's pointers, as multiples of POINTER_STEP. */
type Track = {
  readonly player: PlayerId;
  readonly points: readonly { readonly after: number; readonly x: number; readonly y: number }[];
};

const HASH_BYTES = 32;
const MARK_BYTES = 2;

export function writeSegment(segment: Segment): Uint8Array {
  const writer = createWriter();
  writeVar(writer, segment.startTick);
  writeVar(writer, segment.tickCount);
  writeByte(writer, segment.keyframe ? 1 : 0);
  if (segment.keyframe) writeBlob(writer, segment.keyframe);
  writeVar(writer, segment.commands.length);
  let last = 0;
  for (const { after, command } of segment.commands) {
    writeVar(writer, after - last);
    writeCommand(writer, command);
    last = after;
  }
  writeVar(writer, segment.tracks.length);
  for (const track of segment.tracks) writeTrack(writer, track);
  for (const mark of segment.marks) {
    writeByte(writer, mark & 0xff);
    writeByte(writer, mark >> 8);
  }
  writeBytes(writer, segment.stateHash);
  return writtenBytes(writer);
}

/** Reads bytes of unknown origin. */
export function readSegment(body: Uint8Array): Result<Segment, RecordingFault> {
  const reader = createReader(body);
  try {
    const startTick = readVar(reader);
    const tickCount = readVar(reader);
    const hasKeyframe = readByte(reader);
    if (hasKeyframe > 1) damaged(reader, 'an unknown flag');
    const keyframe = hasKeyframe === 1 ? readBlob(reader) : undefined;
    const commands: { after: number; command: RecordedCommand }[] = [];
    let last = 0;
    for (let left = readCount(reader, 2); left > 0; left--) {
      last = inSegment(reader, last + readVar(reader), tickCount);
      commands.push({ after: last, command: readCommand(reader) });
    }
    const tracks: Track[] = [];
    for (let left = readCount(reader, 2); left > 0; left--) tracks.push(readTrack(reader, tickCount));
    const marks = readMarks(reader, tickCount);
    const stateHash = readBytes(reader, HASH_BYTES);
    expectEnd(reader);
    return ok({ startTick, tickCount, keyframe, commands, tracks, marks, stateHash });
  } catch (error) {
    if (error instanceof DamagedBytes) return err(error.fault);
    throw error;
  }
}

function writeTrack(writer: ByteWriter, { player, points }: Track): void {
  writeVar(writer, player);
  writeVar(writer, points.length);
  let last = { after: -1, x: 0, y: 0 };
  for (const point of points) {
    writeVar(writer, point.after - last.after - 1);
    last = point;
  }
  last = { after: -1, x: 0, y: 0 };
  for (const point of points) {
    writeSigned(writer, (point.x - last.x) / POINTER_STEP);
    last = point;
  }
  last = { after: -1, x: 0, y: 0 };
  for (const point of points) {
    writeSigned(writer, (point.y - last.y) / POINTER_STEP);
    last = point;
  }
}

function readTrack(reader: ByteReader, tickCount: number): Track {
  const player = readVar(reader) as PlayerId;
  const count = readCount(reader, 3);
  const points: { after: number; x: number; y: number }[] = [];
  let after = -1;
  for (let i = 0; i < count; i++) {
    // A pointer counts for a step, so none comes after the last.
    after = inSegment(reader, after + 1 + readVar(reader), tickCount - 1);
    points.push({ after, x: 0, y: 0 });
  }
  let x = 0;
  for (const point of points) point.x = x = inArena(reader, x + readSigned(reader) * POINTER_STEP);
  let y = 0;
  for (const point of points) point.y = y = inArena(reader, y + readSigned(reader) * POINTER_STEP);
  return { player, points };
}

function readMarks(reader: ByteReader, tickCount: number): Uint16Array {
  const bytes = readBytes(reader, tickCount * MARK_BYTES);
  return Uint16Array.from(
    { length: tickCount },
    (_, index) => bytes[2 * index]! | (bytes[2 * index + 1]! << 8),
  );
}

function inSegment(reader: ByteReader, after: number, limit: number): number {
  return after <= limit ? after : damaged(reader, 'a time after the end of the segment');
}

function inArena(reader: ByteReader, offset: number): number {
  return Math.abs(offset) < 1e9 ? offset : damaged(reader, 'a pointer is too far away');
}

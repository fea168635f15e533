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
 * A few seconds of a match: the commands before each step, where everybody pointed, a mark of the state after each step,
 * and the state's hash at the end. A segment can be read without those before it. Most of it is movement, so pointers are
 * stored by player, as columns of waiting times and differences: most of these numbers take a byte and repeat.
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

/**
 * One player's pointers: after how many steps of the segment, and where, as multiples of POINTER_STEP. Columns of numbers,
 * because an object for each pointer would be most of what a crowded match leaves to the garbage collector.
 */
type Track = {
  readonly player: PlayerId;
  readonly after: Column;
  readonly x: Column;
  readonly y: Column;
};

type Column = readonly number[] | Int32Array;

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

function writeTrack(writer: ByteWriter, { player, after, x, y }: Track): void {
  writeVar(writer, player);
  writeVar(writer, after.length);
  let last = -1;
  for (const step of after) {
    writeVar(writer, step - last - 1);
    last = step;
  }
  writeDifferences(writer, x);
  writeDifferences(writer, y);
}

function writeDifferences(writer: ByteWriter, values: Column): void {
  let last = 0;
  for (const value of values) {
    writeSigned(writer, (value - last) / POINTER_STEP);
    last = value;
  }
}

function readTrack(reader: ByteReader, tickCount: number): Track {
  const player = readVar(reader) as PlayerId;
  const count = readCount(reader, 3);
  const after: number[] = [];
  let last = -1;
  for (let i = 0; i < count; i++) {
    // A pointer counts for a step, so none comes after the last.
    last = inSegment(reader, last + 1 + readVar(reader), tickCount - 1);
    after.push(last);
  }
  return { player, after, x: readDifferences(reader, count), y: readDifferences(reader, count) };
}

function readDifferences(reader: ByteReader, count: number): number[] {
  const values: number[] = [];
  let last = 0;
  for (let i = 0; i < count; i++) {
    last = inArena(reader, last + readSigned(reader) * POINTER_STEP);
    values.push(last);
  }
  return values;
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

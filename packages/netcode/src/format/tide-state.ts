import { moveTide, type Tide } from '@engulf/sim/tide';
import {
  type BitReader,
  type BitWriter,
  readBits,
  readFloat,
  readVar,
  writeBits,
  writeFloat,
  writeVar,
} from './bits.ts';
import type { WorldHeader } from './world-header.ts';

/*
 * Both sides move the water by the rules of the arena, so it is sent only when it changes its mind: its goal, when it
 * begins to come in, and whether it waits. Its size follows where it is not what the receiver has computed.
 */

/** What a viewer believes, who has been told nothing. */
export function createSentTide(): Tide {
  return { size: -1, goal: -1, risesAtTick: 0, isHeld: false };
}

export function forgetTide(sent: Tide): void {
  sent.size = -1;
}

/** Moves what a viewer believes on to a later tick. */
export function followTide(believed: Tide, { rules }: WorldHeader, fromTick: number, toTick: number): void {
  for (let tick = fromTick; tick < toTick; tick++) moveTide(believed, rules, tick);
}

export function isTideDue(sent: Tide, tide: Tide, tick: number): boolean {
  if (sent.size !== tide.size || sent.goal !== tide.goal || sent.isHeld !== tide.isHeld) return true;
  const isRising = tide.goal < tide.size;
  return isRising && Math.max(sent.risesAtTick, tick) !== Math.max(tide.risesAtTick, tick);
}

export function writeTide(writer: BitWriter, tide: Tide, sent: Tide, tick: number): void {
  writeVar(writer, tide.goal);
  writeVar(writer, Math.max(0, tide.risesAtTick - tick));
  writeBits(writer, tide.isHeld ? 1 : 0, 1);
  const isKnown = sent.size === tide.size;
  writeBits(writer, isKnown ? 0 : 1, 1);
  if (!isKnown) writeFloat(writer, tide.size);
  Object.assign(sent, tide);
}

export function readTide(reader: BitReader, tide: Tide, { worldSize }: WorldHeader, tick: number): void {
  tide.goal = readVar(reader);
  tide.risesAtTick = tick + readVar(reader);
  tide.isHeld = readBits(reader, 1) === 1;
  if (readBits(reader, 1) === 1) tide.size = readFloat(reader);
  if (!(tide.size > 0 && tide.size <= worldSize && tide.goal <= worldSize)) reader.isMalformed = true;
}

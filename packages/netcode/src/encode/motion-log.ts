import { type BitWord, type BitWriter, writeBits, writeWord } from '../format/bits.ts';
import { MAX_LOGGED_STEPS } from '../format/message-format.ts';
import { encodeMotion, isWhereItWas } from '../format/motion.ts';
import { createTracks, isAtRest, type MotionScale, type Tracks } from '../format/tracks.ts';

/**
 * How all bodies moved of late, encoded once for everybody: whoever sees a body holds the same track of it as the room,
 * so the same bits bring all of them up to date.
 */
export type MotionLog = {
  /** By body. */
  readonly tracks: Tracks;
  /** Newest first. */
  readonly steps: MotionStep[];
};

/** What happened from one capture of the arena to the next. */
export type MotionStep = {
  tick: number;
  /** Since the capture before. */
  ticks: number;
  /** By body: the number of its bits, and whether it was at rest before. */
  readonly heads: Uint8Array;
  /** By body: its first 32 bits, and the rest. */
  readonly low: Uint32Array;
  readonly high: Uint32Array;
};

const BIT_COUNT = 127;
const AT_REST = 128;
/** The head of a body at rest that stays where it is. */
const STILL = AT_REST | 1;

const word: BitWord = { low: 0, high: 0, count: 0 };

export function createMotionLog(maxBodies: number): MotionLog {
  return {
    tracks: createTracks(maxBodies),
    steps: Array.from({ length: MAX_LOGGED_STEPS }, () => ({
      tick: -1,
      ticks: 0,
      heads: new Uint8Array(maxBodies),
      low: new Uint32Array(maxBodies),
      high: new Uint32Array(maxBodies),
    })),
  };
}

/** The oldest step is forgotten. */
export function beginStep({ steps }: MotionLog, tick: number, ticks: number): void {
  const step = steps.pop()!;
  step.tick = tick;
  step.ticks = ticks;
  steps.unshift(step);
}

/** Where a body that is not new has got to in the newest step. */
export function logMotion(
  { tracks, steps }: MotionLog,
  body: number,
  scale: MotionScale,
  xFine: number,
  yFine: number,
  radiusSteps: number,
): void {
  const { ticks, heads, low, high } = steps[0]!;
  const wasAtRest = isAtRest(tracks, body);
  if (wasAtRest && isWhereItWas(tracks, body, xFine, yFine, radiusSteps)) {
    heads[body] = STILL;
    low[body] = 0;
    return;
  }
  encodeMotion(word, tracks, body, ticks, scale, xFine, yFine, radiusSteps);
  heads[body] = (wasAtRest ? AT_REST : 0) | word.count;
  low[body] = word.low;
  high[body] = word.high;
}

/** How many of the newest steps lead here from a tick; 0 if that is not known any more. */
export function countStepsSince({ steps }: MotionLog, tick: number): number {
  for (let i = 0; i < steps.length; i++) {
    const { tick: end, ticks } = steps[i]!;
    if (ticks > 0 && end - ticks === tick) return i + 1;
  }
  return 0;
}

/** If any of the bodies is at rest: whether all of those stay where they are. Then what else there is, or all of it. */
export function writeStep(
  writer: BitWriter,
  { heads, low, high }: MotionStep,
  bodies: Uint16Array,
  count: number,
): void {
  let restingCount = 0;
  let stillCount = 0;
  for (let i = 0; i < count; i++) {
    const head = heads[bodies[i]!]!;
    if (head >= AT_REST) restingCount++;
    if (head === STILL) stillCount++;
  }
  const isAllStill = restingCount > 0 && stillCount === restingCount;
  if (restingCount > 0) writeBits(writer, isAllStill ? 1 : 0, 1);
  for (let i = 0; i < count; i++) {
    const body = bodies[i]!;
    const head = heads[body]!;
    if (isAllStill && head === STILL) continue;
    writeWord(writer, low[body]!, high[body]!, head & BIT_COUNT);
  }
}

import { BODY } from '@engulf/sim/bodies';
import { FOOD_SLOTS } from '@engulf/sim/food';
import type { World } from '@engulf/sim/world';
import { type BitWriter, createBitWriter } from '../format/bits.ts';
import {
  appendFoodChanges,
  captureFoodChanges,
  copyChangedPlaces,
  createFoodChanges,
  type FoodChanges,
} from '../format/food-changes.ts';
import { MAX_LOGGED_STEPS } from '../format/message-format.ts';
import {
  createPlayerRows,
  type DescribePlayer,
  MAX_ROW_BYTES,
  type PlayerRows,
  refreshPlayerRows,
} from '../format/player-rows.ts';
import { FINE_PER_STEP, FINE_PER_UNIT, STEPS_PER_UNIT, startTrack } from '../format/tracks.ts';
import { headerOf, type WorldHeader } from '../format/world-header.ts';
import { beginStep, createMotionLog, logMotion, type MotionLog } from './motion-log.ts';

/**
 * The arena after a step, prepared once for all viewers: bodies rounded and sorted by position, their motion, food
 * changes and player rows encoded.
 */
export type ArenaFrame = {
  /** Only read, never written to. */
  readonly world: World;
  readonly describe: DescribePlayer;
  readonly header: WorldHeader;
  tick: number;
  /** That of the capture before. */
  previousTick: number;
  readonly kind: Uint8Array;
  readonly generation: Uint32Array;
  readonly owner: Int32Array;
  readonly x: Int32Array;
  readonly y: Int32Array;
  /** In steps. */
  readonly radius: Uint16Array;
  maxRadiusFine: number;
  readonly motion: MotionLog;
  /** The bodies of square `s` are `items[starts[s]] … items[starts[s + 1] - 1]`. */
  readonly side: number;
  readonly starts: Int32Array;
  readonly items: Int32Array;
  /** The sides of each item, in the same order. */
  readonly left: Int32Array;
  readonly right: Int32Array;
  readonly top: Int32Array;
  readonly bottom: Int32Array;
  readonly squareOf: Int32Array;
  readonly foodChanges: FoodChanges;
  /** Of the last two ticks, for receivers who get every second one. Encoded when the first of them needs it. */
  readonly foodChangesOfTwo: FoodChanges;
  /** The tick that `foodChangesOfTwo` is encoded for. */
  twoTicksEncodedAt: number;
  /** The changes of this tick and of all later ones are known. */
  oldestChangesTick: number;
  readonly playerRows: PlayerRows;
  /** The players whose rows have changed since `previousTick`. */
  readonly changedRows: Int32Array;
  changedRowCount: number;
  /** Scratch space: messages are written one at a time. */
  readonly writer: BitWriter;
  readonly added: Int32Array;
  /** Per body, what the message that is being written has found out about it; see visible-bodies.ts. */
  readonly marks: Int32Array;
  mark: number;
};

const SQUARE_FINE = 256 * FINE_PER_UNIT;
/** Upper bound for one body, whether it is added, removed or moves, which takes less than eight bytes a step. */
const MAX_BODY_BYTES = 8 * MAX_LOGGED_STEPS;

export function createArenaFrame(world: World, describe: DescribePlayer): ArenaFrame {
  const header = headerOf(world);
  const { maxBodies, chunksPerSide: side } = header;
  const maxMessageBytes =
    512 + maxBodies * MAX_BODY_BYTES + header.maxPlayers * MAX_ROW_BYTES + side * side * (4 + FOOD_SLOTS * 4);
  const frame: ArenaFrame = {
    world,
    describe,
    header,
    tick: world.clock.tick,
    previousTick: world.clock.tick,
    kind: new Uint8Array(maxBodies),
    generation: new Uint32Array(maxBodies),
    owner: new Int32Array(maxBodies),
    x: new Int32Array(maxBodies),
    y: new Int32Array(maxBodies),
    radius: new Uint16Array(maxBodies),
    maxRadiusFine: 0,
    motion: createMotionLog(maxBodies),
    side,
    starts: new Int32Array(side * side + 2),
    items: new Int32Array(maxBodies),
    left: new Int32Array(maxBodies),
    right: new Int32Array(maxBodies),
    top: new Int32Array(maxBodies),
    bottom: new Int32Array(maxBodies),
    squareOf: new Int32Array(maxBodies),
    foodChanges: createFoodChanges(world.food, 1),
    foodChangesOfTwo: createFoodChanges(world.food, 2),
    twoTicksEncodedAt: 0,
    oldestChangesTick: world.clock.tick,
    playerRows: createPlayerRows(world.players),
    changedRows: new Int32Array(header.maxPlayers),
    changedRowCount: 0,
    writer: createBitWriter(maxMessageBytes),
    added: new Int32Array(maxBodies),
    marks: new Int32Array(maxBodies),
    mark: 0,
  };
  captureFrame(frame);
  return frame;
}

/** Call this after every step: the arena lists its food changes for one step only. */
export function captureFrame(frame: ArenaFrame): void {
  const { world } = frame;
  const { tick } = world.clock;
  // The changes of a skipped step are lost, so any chunk may have changed.
  const hasSkipped = tick > frame.tick + 1;
  if (hasSkipped) frame.foodChanges.changedTick.fill(tick);
  frame.oldestChangesTick = hasSkipped ? tick : tick - 1;
  const ticks = tick - frame.tick;
  if (ticks > 0) {
    frame.previousTick = frame.tick;
    frame.tick = tick;
    beginStep(frame.motion, tick, ticks);
  }
  captureBodies(frame, ticks > 0);
  copyChangedPlaces(frame.foodChanges, frame.foodChangesOfTwo);
  captureFoodChanges(frame.foodChanges, world.food, tick);
  refreshPlayerRows(frame.playerRows, world.players, tick, frame.describe);
  listChangedRows(frame);
}

function captureBodies(frame: ArenaFrame, haveMoved: boolean): void {
  const { kind, generation, owner, x, y, radius, side, starts, items, squareOf, motion, header } = frame;
  const { bodies } = frame.world;
  starts.fill(0);
  let maxRadius = 0;
  for (let body = 0; body < bodies.top; body++) {
    const isNew = kind[body] === BODY.none || generation[body] !== bodies.generation[body];
    kind[body] = bodies.kind[body]!;
    if (kind[body] === BODY.none) continue;
    generation[body] = bodies.generation[body]!;
    owner[body] = bodies.owner[body]!;
    const fineX = Math.round(bodies.x[body]! * FINE_PER_UNIT);
    const fineY = Math.round(bodies.y[body]! * FINE_PER_UNIT);
    x[body] = fineX;
    y[body] = fineY;
    radius[body] = Math.round(bodies.radius[body]! * STEPS_PER_UNIT);
    if (radius[body]! > maxRadius) maxRadius = radius[body]!;
    if (isNew) {
      const isCoasting = kind[body] !== BODY.cell;
      const xSteps = Math.round(fineX / FINE_PER_STEP);
      const ySteps = Math.round(fineY / FINE_PER_STEP);
      startTrack(motion.tracks, body, isCoasting, xSteps, ySteps, radius[body]!);
    } else if (haveMoved) logMotion(motion, body, header, fineX, fineY, radius[body]!);
    const square = squareIndex(fineY, side) * side + squareIndex(fineX, side);
    squareOf[body] = square;
    starts[square + 2]!++;
  }
  frame.maxRadiusFine = (maxRadius * FINE_PER_UNIT) / STEPS_PER_UNIT;
  // Counted one place further on, so that filling in the items moves every start to where it belongs.
  for (let square = 2; square < starts.length; square++) starts[square]! += starts[square - 1]!;
  for (let body = 0; body < bodies.top; body++) {
    if (kind[body] === BODY.none) continue;
    const item = starts[squareOf[body]! + 1]!++;
    const reach = radius[body]! * FINE_PER_STEP;
    items[item] = body;
    frame.left[item] = x[body]! - reach;
    frame.right[item] = x[body]! + reach;
    frame.top[item] = y[body]! - reach;
    frame.bottom[item] = y[body]! + reach;
  }
}

/** Also those of the capture before: rows may change after it, within the same tick. */
function listChangedRows(frame: ArenaFrame): void {
  const { changedRows, playerRows, previousTick, world } = frame;
  frame.changedRowCount = 0;
  for (let slot = 0; slot < world.players.top; slot++) {
    if (playerRows.changedTick[slot]! >= previousTick) changedRows[frame.changedRowCount++] = slot;
  }
}

/** The food changes since the tick `gap` ago; undefined when that is too long ago. */
export function foodChangesSince(frame: ArenaFrame, gap: number): FoodChanges | undefined {
  if (gap === 1) return frame.foodChanges;
  if (gap !== 2 || frame.oldestChangesTick === frame.tick) return undefined;
  if (frame.twoTicksEncodedAt !== frame.tick) {
    appendFoodChanges(frame.foodChangesOfTwo, frame.world.food, frame.tick);
    frame.twoTicksEncodedAt = frame.tick;
  }
  return frame.foodChangesOfTwo;
}

/** The row or column of a coordinate, clamped to the grid. */
export function squareIndex(fine: number, side: number): number {
  const index = Math.floor(fine / SQUARE_FINE);
  return index < 0 ? 0 : index >= side ? side - 1 : index;
}

import {
  deriveMovement,
  fadeBoost,
  insetFor,
  keepInside,
  type Movement,
  type MovementRules,
  steeringReach,
  steeringShare,
} from '@engulf/sim/movement';
import type { Body } from './bodies.ts';

/*
 * The player's own cells are shown where they will be once the room has heard of the pointer: the latest known
 * state, moved on by the simulation's own law of movement with the inputs since. When an update shows that this
 * was wrong, the difference fades instead of jumping.
 */

export type Prediction = {
  /** Undefined until the room has said by which rules its cells move. */
  law: Law | undefined;
  /** The pointer as sent, oldest first. */
  readonly inputs: { readonly atMs: number; readonly x: number; readonly y: number }[];
  readonly cells: Map<number, PredictedCell>;
  /** The local time at which the last known state would be shown without any delay. */
  knownAtMs: number;
  predictedToMs: number;
};

type Law = Movement & { readonly worldSize: number; readonly borderInset: number };

type PredictedCell = {
  readonly body: Body;
  /** As last known. */
  x: number;
  y: number;
  radius: number;
  /** What the next step applies of a launch, in units a second. */
  boostX: number;
  boostY: number;
  /** As predicted. */
  aheadX: number;
  aheadY: number;
  aheadBoostX: number;
  aheadBoostY: number;
  /** How far the picture still is from the prediction. */
  errorX: number;
  errorY: number;
};

type Point = { readonly x: number; readonly y: number };

/** Beyond this a prediction is a guess; on a slower line the own cell simply answers later. */
const MAX_AHEAD_MS = 220;
const KEPT_INPUT_MS = 1_000;
const ERROR_FADES_MS = 90;
/** Farther off than this is a burst or a teleport, not an error to smooth over. */
const SNAP_FROM_WORLD = 260;
/** Units a second. A slower deviation from steering is a push by a sibling and not a launch. */
const LAUNCH_FROM_SPEED = 125;

export function createPrediction(): Prediction {
  return { law: undefined, inputs: [], cells: new Map(), knownAtMs: Number.NaN, predictedToMs: 0 };
}

/** Every full snapshot brings the rules that the room runs by. */
export function adoptRules(prediction: Prediction, rules: MovementRules): void {
  const { worldSize, borderInset } = rules;
  prediction.law = { ...deriveMovement(rules), worldSize, borderInset };
}

export function noteInput(prediction: Prediction, x: number, y: number, nowMs: number): void {
  prediction.inputs.push({ atMs: nowMs, x, y });
  while (prediction.inputs.length > 1 && prediction.inputs[1]!.atMs < nowMs - KEPT_INPUT_MS) {
    prediction.inputs.shift();
  }
}

/** Takes over the room's state of the own cells. `knownAtMs` belongs to the tick of that state. */
export function reconcile(
  prediction: Prediction,
  own: readonly (Point & { readonly body: Body; readonly radius: number })[],
  knownAtMs: number,
): void {
  const { cells, law } = prediction;
  if (!law) return;
  const elapsedS = (knownAtMs - prediction.knownAtMs) / 1000;
  const steps = Number.isNaN(elapsedS) ? 1 : Math.max(1, Math.round(elapsedS / law.stepSeconds));
  const pointer = inputAt(prediction, knownAtMs);
  const gone = new Set(cells.keys());
  for (const { body, x, y, radius } of own) {
    gone.delete(body.id);
    const cell = cells.get(body.id);
    if (!cell) {
      cells.set(body.id, createCell(body, x, y, radius));
      continue;
    }
    noteLaunch(cell, law, (x - cell.x) / steps, (y - cell.y) / steps, pointer);
    cell.x = x;
    cell.y = y;
    cell.radius = radius;
  }
  for (const id of gone) cells.delete(id);
  prediction.knownAtMs = knownAtMs;

  const shown = [...cells.values()].map((cell) => ({
    cell,
    x: cell.aheadX + cell.errorX,
    y: cell.aheadY + cell.errorY,
  }));
  lookAhead(prediction, law, prediction.predictedToMs);
  for (const { cell, x, y } of shown) {
    const isNew = cell.body.motion.count <= 1;
    const errorX = isNew ? 0 : x - cell.aheadX;
    const errorY = isNew ? 0 : y - cell.aheadY;
    const isTooFar = Math.hypot(errorX, errorY) > SNAP_FROM_WORLD;
    cell.errorX = isTooFar ? 0 : errorX;
    cell.errorY = isTooFar ? 0 : errorY;
  }
}

/** Puts the own cells where they will be, as of `nowMs`. */
export function showPredicted(prediction: Prediction, nowMs: number, elapsedMs: number): void {
  if (prediction.law) lookAhead(prediction, prediction.law, nowMs);
  const kept = Math.exp(-elapsedMs / ERROR_FADES_MS);
  for (const cell of prediction.cells.values()) {
    cell.errorX *= kept;
    cell.errorY *= kept;
    cell.body.x = cell.aheadX + cell.errorX;
    cell.body.y = cell.aheadY + cell.errorY;
  }
}

function lookAhead(prediction: Prediction, law: Law, nowMs: number): void {
  const { cells } = prediction;
  prediction.predictedToMs = nowMs;
  for (const cell of cells.values()) {
    cell.aheadX = cell.x;
    cell.aheadY = cell.y;
    cell.aheadBoostX = cell.boostX;
    cell.aheadBoostY = cell.boostY;
  }
  if (cells.size === 0) return;
  const stepMs = law.stepSeconds * 1000;
  let atMs = Math.max(prediction.knownAtMs, nowMs - MAX_AHEAD_MS);
  while (atMs < nowMs) {
    moveOn(prediction, law, inputAt(prediction, atMs), Math.min(1, (nowMs - atMs) / stepMs));
    atMs += stepMs;
  }
}

/** One step of the simulation, or part of one, for the own cells alone. */
function moveOn({ cells }: Prediction, law: Law, pointer: Point, partOfStep: number): void {
  const centre = centreOf(cells.values());
  for (const cell of cells.values()) {
    const dx = centre.x + pointer.x - cell.aheadX;
    const dy = centre.y + pointer.y - cell.aheadY;
    const share = steeringShare(reachOf(cell, law), cell.radius, dx, dy) * partOfStep;
    const driftS = law.stepSeconds * partOfStep;
    const inset = insetFor(cell.radius, law.borderInset, law.worldSize);
    const far = law.worldSize - inset;
    cell.aheadX = keepInside(cell.aheadX + dx * share + cell.aheadBoostX * driftS, inset, far);
    cell.aheadY = keepInside(cell.aheadY + dy * share + cell.aheadBoostY * driftS, inset, far);
    [cell.aheadBoostX, cell.aheadBoostY] = faded(law, cell.aheadBoostX, cell.aheadBoostY);
  }
}

/** What a cell moved beyond its steering is what is left of a launch: a split, or a burst. */
function noteLaunch(cell: PredictedCell, law: Law, movedX: number, movedY: number, pointer: Point): void {
  const reach = reachOf(cell, law);
  const share = steeringShare(reach, cell.radius, pointer.x, pointer.y);
  const boostX = (movedX - pointer.x * share) / law.stepSeconds;
  const boostY = (movedY - pointer.y * share) / law.stepSeconds;
  const isLaunched = Math.hypot(boostX, boostY) > reach / law.stepSeconds + LAUNCH_FROM_SPEED;
  [cell.boostX, cell.boostY] = isLaunched ? faded(law, boostX, boostY) : [0, 0];
}

function faded(law: Law, x: number, y: number): [x: number, y: number] {
  const { boostKeptPerStep: kept, boostStopSquared: stop } = law;
  const squared = x * x + y * y;
  return [fadeBoost(x, squared, kept, stop), fadeBoost(y, squared, kept, stop)];
}

function reachOf({ radius }: PredictedCell, { speedByRadius, stepSeconds }: Law): number {
  return steeringReach(speedByRadius, stepSeconds, radius);
}

function inputAt({ inputs }: Prediction, atMs: number): Point {
  let active: Point = inputs[0] ?? { x: 0, y: 0 };
  for (const input of inputs) {
    if (input.atMs > atMs) break;
    active = input;
  }
  return active;
}

function centreOf(cells: Iterable<PredictedCell>): Point {
  let x = 0;
  let y = 0;
  let mass = 0;
  for (const { aheadX, aheadY, radius } of cells) {
    const weight = radius * radius;
    x += aheadX * weight;
    y += aheadY * weight;
    mass += weight;
  }
  return { x: x / mass, y: y / mass };
}

function createCell(body: Body, x: number, y: number, radius: number): PredictedCell {
  return {
    body,
    x,
    y,
    radius,
    boostX: 0,
    boostY: 0,
    aheadX: x,
    aheadY: y,
    aheadBoostX: 0,
    aheadBoostY: 0,
    errorX: 0,
    errorY: 0,
  };
}

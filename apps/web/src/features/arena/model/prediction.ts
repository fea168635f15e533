import { deriveStepRules, speedAtRadius, standardRules } from '@engulf/sim/rules';
import type { Body } from './bodies.ts';

/*
 * The own cells are shown where they will be when the room has heard of the pointer: the latest known state,
 * moved on by the simulation's own law of steering with the inputs since. When news arrives and we were wrong,
 * the difference is not jumped but fades.
 */

export type Prediction = {
  /** Where the pointer was sent to be, oldest first. */
  readonly inputs: { readonly atMs: number; readonly x: number; readonly y: number }[];
  readonly cells: Map<number, PredictedCell>;
  /** The local time at which the last known state would have been shown, were there nothing to wait for. */
  knownAtMs: number;
  predictedToMs: number;
};

type PredictedCell = {
  readonly body: Body;
  /** As last known. */
  x: number;
  y: number;
  radius: number;
  /** What is left of a launch, in units a tick. */
  boostX: number;
  boostY: number;
  /** As predicted. */
  aheadX: number;
  aheadY: number;
  /** How far the picture still is from the prediction. */
  errorX: number;
  errorY: number;
};

const { stepsPerSecond, borderInset } = standardRules;
const { speedByRadius, boostKeptPerStep } = deriveStepRules(standardRules);
const STEP_MS = 1000 / stepsPerSecond;
/** Beyond this a prediction is a guess; on a slower line the own cell simply answers later. */
const MAX_AHEAD_MS = 220;
const KEPT_INPUT_MS = 1_000;
const ERROR_FADES_MS = 90;
/** Farther off than this is a burst or a teleport, not an error to smooth over. */
const SNAP_FROM_WORLD = 260;
/** Below this speed, in units a tick, a difference from steering is a push of siblings and not a launch. */
const LAUNCH_FROM = 5;

export function createPrediction(): Prediction {
  return { inputs: [], cells: new Map(), knownAtMs: Number.NaN, predictedToMs: 0 };
}

export function noteInput(prediction: Prediction, x: number, y: number, nowMs: number): void {
  prediction.inputs.push({ atMs: nowMs, x, y });
  while (prediction.inputs.length > 1 && prediction.inputs[1]!.atMs < nowMs - KEPT_INPUT_MS) {
    prediction.inputs.shift();
  }
}

/** Takes over what the room says of the own cells. `knownAtMs` belongs to the tick that it speaks of. */
export function reconcile(
  prediction: Prediction,
  own: readonly { readonly body: Body; readonly x: number; readonly y: number; readonly radius: number }[],
  knownAtMs: number,
  worldSize: number,
): void {
  const { cells } = prediction;
  const isLater = knownAtMs - prediction.knownAtMs;
  const ticks = Number.isNaN(isLater) ? 1 : Math.max(1, Math.round(isLater / STEP_MS));
  const pointer = inputAt(prediction, knownAtMs);
  const gone = new Set(cells.keys());
  for (const { body, x, y, radius } of own) {
    gone.delete(body.id);
    const cell = cells.get(body.id);
    if (!cell) {
      cells.set(body.id, {
        body,
        x,
        y,
        radius,
        boostX: 0,
        boostY: 0,
        aheadX: x,
        aheadY: y,
        errorX: 0,
        errorY: 0,
      });
      continue;
    }
    noteLaunch(cell, (x - cell.x) / ticks, (y - cell.y) / ticks, pointer);
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
  lookAhead(prediction, prediction.predictedToMs, worldSize);
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
export function showPredicted(
  prediction: Prediction,
  nowMs: number,
  elapsedMs: number,
  worldSize: number,
): void {
  lookAhead(prediction, nowMs, worldSize);
  const kept = Math.exp(-elapsedMs / ERROR_FADES_MS);
  for (const cell of prediction.cells.values()) {
    cell.errorX *= kept;
    cell.errorY *= kept;
    cell.body.x = cell.aheadX + cell.errorX;
    cell.body.y = cell.aheadY + cell.errorY;
  }
}

function lookAhead(prediction: Prediction, nowMs: number, worldSize: number): void {
  const { cells } = prediction;
  prediction.predictedToMs = nowMs;
  for (const cell of cells.values()) {
    cell.aheadX = cell.x;
    cell.aheadY = cell.y;
  }
  if (cells.size === 0) return;
  let atMs = Math.max(prediction.knownAtMs, nowMs - MAX_AHEAD_MS);
  for (let step = 0; atMs < nowMs; step++) {
    const share = Math.min(1, (nowMs - atMs) / STEP_MS);
    steer(prediction, inputAt(prediction, atMs), share, boostKeptPerStep ** (step + 1), worldSize);
    atMs += STEP_MS;
  }
}

function steer(
  { cells }: Prediction,
  pointer: { x: number; y: number },
  share: number,
  boostKept: number,
  worldSize: number,
): void {
  const centre = centreOf(cells.values());
  for (const cell of cells.values()) {
    const dx = centre.x + pointer.x - cell.aheadX;
    const dy = centre.y + pointer.y - cell.aheadY;
    const pull = (steeringReach(cell.radius) * share) / Math.max(Math.hypot(dx, dy), cell.radius);
    const inset = Math.min(cell.radius * borderInset, worldSize / 2);
    const keepInside = (value: number) => Math.min(worldSize - inset, Math.max(inset, value));
    cell.aheadX = keepInside(cell.aheadX + dx * pull + cell.boostX * boostKept * share);
    cell.aheadY = keepInside(cell.aheadY + dy * pull + cell.boostY * boostKept * share);
  }
}

/** What a cell moved beyond its steering is what is left of a launch: a split, or a burst. */
function noteLaunch(
  cell: PredictedCell,
  movedX: number,
  movedY: number,
  pointer: { x: number; y: number },
): void {
  const distance = Math.max(Math.hypot(pointer.x, pointer.y), cell.radius);
  const pull = steeringReach(cell.radius) / distance;
  const boostX = movedX - pointer.x * pull;
  const boostY = movedY - pointer.y * pull;
  const isLaunched = Math.hypot(boostX, boostY) > steeringReach(cell.radius) + LAUNCH_FROM;
  cell.boostX = isLaunched ? boostX : 0;
  cell.boostY = isLaunched ? boostY : 0;
}

/** Units a tick. */
function steeringReach(radius: number): number {
  return speedAtRadius(speedByRadius, radius) / stepsPerSecond;
}

function inputAt({ inputs }: Prediction, atMs: number): { x: number; y: number } {
  let active: { x: number; y: number } = inputs[0] ?? { x: 0, y: 0 };
  for (const input of inputs) {
    if (input.atMs > atMs) break;
    active = input;
  }
  return active;
}

function centreOf(cells: Iterable<PredictedCell>): { x: number; y: number } {
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

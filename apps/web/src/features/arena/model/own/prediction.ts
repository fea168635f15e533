import type { PlayerView } from '@engulf/netcode/arena-view';
import { copierOf, createOwnWorld, type OwnCellRules, stepOwnCells } from '@engulf/sim/own-cells';
import type { World } from '@engulf/sim/world';
import type { Bodies, Body } from '../playout/bodies.ts';
import { acknowledge, createInputs, draftPointer, type Input, leadMs, noteSent } from './inputs.ts';
import {
  adoptSeen,
  advanceKnown,
  applyInput,
  createOwnCell,
  type OwnCell,
  type OwnCells,
  ownSlots,
  type SeenCell,
} from './own-cells.ts';

/*
 * The player's own cells are shown where the room will have them once it has received all inputs so far: a world of
 * their own is stepped from the latest known state. When this turns out to be wrong, the shown position converges to the
 * better prediction instead of jumping.
 */

export type Prediction = ReturnType<typeof createPrediction>;

/** What an update says about the own player. */
export type OwnUpdate = {
  readonly tick: number;
  readonly player: PlayerView | undefined;
  readonly seen: readonly SeenCell[];
  readonly acknowledged: number;
  /** A full snapshot gives every body a new id. */
  readonly isFull: boolean;
  /** Arrival minus room time of the fastest update. */
  readonly fastestMs: number;
};

/** A longer silence is a broken connection. */
const MAX_AHEAD_SECONDS = 1;
/** How fast errors are closed, as the frequency of a critically damped spring. */
const CLOSE_PER_SECOND = 16;
/** Farther off than this is a burst or a teleport, not an error to smooth over. */
const SNAP_FROM_WORLD = 260;
const RADIUS_EASES_MS = 45;

export function createPrediction(bodies: Bodies, onAbsorbed: (body: Body, into: Body) => void) {
  const inputs = createInputs();
  const cells: OwnCells = new Map();
  let rules = '';
  let known: World | undefined;
  let ahead: World | undefined;
  let copyKnown = () => {};
  let beforeX = new Float64Array(0);
  let beforeY = new Float64Array(0);
  let player: PlayerView | undefined;
  let lead = 0;
  let shownMs = 0;
  let lookedMs = Number.NaN;
  let correction = 0;

  return {
    adoptRules,
    reconcile,
    show,
    /** How far the last update moved the prediction, in world units. */
    correction: () => correction,
    /** The newest pointer, which counts at once although it may be sent later. */
    point: (x: number, y: number, nowMs: number) =>
      rebase(shownMs, () => draftPointer(inputs, x, y, nowMs), isNoCorrection),
    /** Returns the number that the input has to be sent with. */
    send: (type: Input['type'], x: number, y: number, nowMs: number): number =>
      rebase(shownMs, () => noteSent(inputs, type, x, y, nowMs), noteCorrection),
  };

  /** Every full snapshot brings the rules that the room runs by. */
  function adoptRules(sent: OwnCellRules): void {
    const text = JSON.stringify(sent);
    if (text === rules) return;
    rules = text;
    known = createOwnWorld(sent);
    ahead = createOwnWorld(sent);
    copyKnown = copierOf(known, ahead);
    beforeX = new Float64Array(known.bodies.x.length);
    beforeY = new Float64Array(known.bodies.y.length);
    for (const { key } of cells.values()) bodies.delete(key);
    cells.clear();
  }

  /** Takes over the room's state of the own cells. */
  function reconcile(update: OwnUpdate, nowMs: number): void {
    if (!known) return;
    const world = known;
    player = update.player;
    rebase(
      nowMs,
      () => {
        const stepMs = world.stepRules.stepSeconds * 1000;
        const taken = acknowledge(inputs, update.acknowledged, update.tick, stepMs, nowMs);
        lead = leadMs(inputs, update.fastestMs);
        const steps = update.tick - world.clock.tick;
        const isNext = steps > 0 && steps <= MAX_AHEAD_SECONDS * world.rules.stepsPerSecond;
        if (!isNext) world.clock.tick = update.tick - 1;
        advanceKnown(world, update.tick, taken, tickOf);
        if (update.isFull) for (const cell of cells.values()) cell.viewId = undefined;
        const lost = adoptSeen(world, cells, update.seen, isNext ? steps : 1, createOwn);
        for (const cell of lost) takeBack(cell);
        for (const cell of cells.values()) relist(cell);
      },
      noteCorrection,
    );
    correction = 0;
    for (const cell of cells.values()) {
      correction = Math.max(correction, Math.hypot(cell.correctedX, cell.correctedY));
      cell.correctedX = 0;
      cell.correctedY = 0;
    }
  }

  /** Puts the own cells where they will be, as of `nowMs`. */
  function show(nowMs: number, elapsedMs: number): void {
    shownMs = nowMs;
    lookAhead(nowMs);
    const eased = 1 - Math.exp(-elapsedMs / RADIUS_EASES_MS);
    for (const cell of cells.values()) {
      const { body } = cell;
      [cell.errorX, cell.errorSpeedX] = closeIn(cell.errorX, cell.errorSpeedX, elapsedMs / 1000);
      [cell.errorY, cell.errorSpeedY] = closeIn(cell.errorY, cell.errorSpeedY, elapsedMs / 1000);
      body.x = cell.x + cell.errorX;
      body.y = cell.y + cell.errorY;
      body.radius += (cell.radius - body.radius) * eased;
    }
  }

  /** Changes the basis of the prediction without moving the shown cells. */
  function rebase<Result>(
    nowMs: number,
    change: () => Result,
    note: (cell: OwnCell, x: number, y: number) => void,
  ): Result {
    lookAhead(nowMs);
    const before = [...cells.values()].map((cell) => ({ cell, x: cell.x, y: cell.y }));
    const result = change();
    lookedMs = Number.NaN;
    lookAhead(nowMs);
    for (const { cell, x, y } of before) {
      note(cell, x - cell.x, y - cell.y);
      cell.errorX += x - cell.x;
      cell.errorY += y - cell.y;
      if (Math.hypot(cell.errorX, cell.errorY) < SNAP_FROM_WORLD) continue;
      cell.errorX = 0;
      cell.errorY = 0;
      cell.errorSpeedX = 0;
      cell.errorSpeedY = 0;
    }
    return result;
  }

  function lookAhead(nowMs: number): void {
    if (!known || !ahead || lookedMs === nowMs) return;
    lookedMs = nowMs;
    const { stepSeconds } = known.stepRules;
    const first = known.clock.tick;
    const until = (nowMs + lead) / (stepSeconds * 1000);
    const target = Math.min(Math.max(until, first), first + MAX_AHEAD_SECONDS / stepSeconds);
    copyKnown();
    const waiting = inputs.drafts.length === 0 ? inputs.underWay : [...inputs.underWay, ...inputs.drafts];
    let next = 0;
    let existing: readonly number[] = [];
    while (ahead.clock.tick < target) {
      const stepTo = ahead.clock.tick + 1;
      for (; next < waiting.length && tickOf(waiting[next]!) <= stepTo; next++) {
        applyInput(ahead, waiting[next]!);
      }
      if (stepTo >= target) {
        beforeX.set(ahead.bodies.x);
        beforeY.set(ahead.bodies.y);
        existing = [...ownSlots(ahead)];
      }
      stepOwnCells(ahead);
    }
    placeCells(ahead, existing, ahead.clock.tick - target);
  }

  /** `rest` is the part of the last step that is still to come. */
  function placeCells(world: World, existing: readonly number[], rest: number): void {
    const { x, y, radius, boostX, boostY } = world.bodies;
    const { stepSeconds, boostKeptPerStep } = world.stepRules;
    const slots = ownSlots(world);
    const launched = stepSeconds / boostKeptPerStep;
    for (const slot of slots) {
      // A cell that was divided off in this step began where its launch did.
      const isNew = rest > 0 && !existing.includes(slot);
      const fromX = isNew ? x[slot]! - boostX[slot]! * launched : beforeX[slot]!;
      const fromY = isNew ? y[slot]! - boostY[slot]! * launched : beforeY[slot]!;
      const at = {
        id: 0,
        x: x[slot]! + (rest > 0 ? (fromX - x[slot]!) * rest : 0),
        y: y[slot]! + (rest > 0 ? (fromY - y[slot]!) * rest : 0),
        radius: radius[slot]!,
      };
      let cell = cells.get(slot);
      if (!cell) {
        cell = createOwn(slot, at);
        cells.set(slot, cell);
      }
      cell.x = at.x;
      cell.y = at.y;
      cell.radius = at.radius;
      cell.body.isMerged = false;
    }
    for (const cell of cells.values()) {
      if (slots.includes(cell.slot)) continue;
      if (cell.viewId !== undefined) merge(cell);
      else if (cells.delete(cell.slot)) takeBack(cell);
    }
  }

  /** The room did not make a split that was predicted. */
  function takeBack(cell: OwnCell): void {
    const into = nearestTo(cell);
    bodies.delete(cell.key);
    if (into) onAbsorbed(cell.body, into.body);
  }

  /** Shown ahead of the room, like everything that own cells do. */
  function merge(cell: OwnCell): void {
    const into = nearestTo(cell);
    if (into && !cell.body.isMerged) onAbsorbed(cell.body, into.body);
    cell.body.isMerged = into !== undefined;
  }

  function nearestTo(cell: OwnCell): OwnCell | undefined {
    let nearest: OwnCell | undefined;
    for (const other of cells.values()) {
      if (other === cell || other.body.isMerged) continue;
      if (!nearest || distance(cell, other) < distance(cell, nearest)) nearest = other;
    }
    return nearest;
  }

  /** The step that an input is expected to take effect in. What the known state does not include comes after it. */
  function tickOf({ atMs }: Input): number {
    return Math.ceil((atMs + lead) / (known!.stepRules.stepSeconds * 1000));
  }

  function createOwn(slot: number, at: SeenCell): OwnCell {
    return createOwnCell(bodies, player!, slot, at);
  }

  /** Lists a cell's body under the id that the room's cell has now. */
  function relist(cell: OwnCell): void {
    if (cell.viewId === undefined || cell.key === cell.viewId) return;
    if (bodies.get(cell.key) === cell.body) bodies.delete(cell.key);
    cell.key = cell.viewId;
    bodies.set(cell.key, cell.body);
  }
}

/** A critically damped spring, so that the speed of the picture does not jump either. */
function closeIn(error: number, speed: number, seconds: number): [error: number, speed: number] {
  const kept = Math.exp(-CLOSE_PER_SECOND * seconds);
  const push = speed + CLOSE_PER_SECOND * error;
  return [(error + push * seconds) * kept, (speed - CLOSE_PER_SECOND * push * seconds) * kept];
}

function noteCorrection(cell: OwnCell, x: number, y: number): void {
  cell.correctedX += x;
  cell.correctedY += y;
}

function isNoCorrection(): void {}

function distance(a: OwnCell, b: OwnCell): number {
  return Math.hypot(a.x - b.x, a.y - b.y);
}

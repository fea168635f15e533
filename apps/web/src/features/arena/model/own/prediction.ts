import type { PlayerView } from '@engulf/netcode/decode/arena-view';
import type { OwnCellRules } from '@engulf/sim/own-cells';
import type { Tide } from '@engulf/sim/tide';
import type { Bodies, Body } from '../playout/bodies.ts';
import type { Pose } from '../playout/motion.ts';
import { adoptSeen } from './adopt-seen.ts';
import { acknowledge, createInputs, draftPointer, type Input, leadMs, noteSent } from './inputs.ts';
import {
  createOwnCell,
  nearestOwnCell,
  type OwnCell,
  type OwnCells,
  relistOwnCell,
  type SeenCell,
} from './own-cells.ts';
import {
  advanceKnown,
  createOwnWorlds,
  type OwnWorlds,
  ownSlots,
  poseAhead,
  stepAhead,
} from './own-worlds.ts';
import { addError, closeError } from './shown-error.ts';

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
  /** Where the water is. */
  readonly tide: Tide;
  /** A full snapshot gives every body a new id. */
  readonly isFull: boolean;
  /** Arrival minus room time of the fastest update. */
  readonly fastestMs: number;
};

/** A longer silence is a broken connection. */
const MAX_AHEAD_SECONDS = 1;
const RADIUS_EASES_MS = 45;

export function createPrediction(bodies: Bodies, onAbsorbed: (body: Body, into: Body) => void) {
  const inputs = createInputs();
  const cells: OwnCells = new Map();
  let rules = '';
  let worlds: OwnWorlds | undefined;
  let player: PlayerView | undefined;
  let lead = 0;
  let shownMs = 0;
  let lookedMs = Number.NaN;
  let correction = 0;
  let shownTick = 0;

  return {
    adoptRules,
    reconcile,
    show,
    /** How far the last update moved the prediction, in world units. */
    correction: () => correction,
    /** The room's tick that the own cells are shown at. */
    tick: () => shownTick,
    /** The newest pointer, which counts at once although it may be sent later. */
    point: (x: number, y: number, nowMs: number) =>
      rebase(shownMs, () => draftPointer(inputs, x, y, nowMs), ignoreCorrection),
    /** Returns the number that the input has to be sent with. */
    send: (type: Input['type'], x: number, y: number, nowMs: number): number =>
      rebase(shownMs, () => noteSent(inputs, type, x, y, nowMs), noteCorrection),
  };

  /** Every full snapshot brings the rules that the room runs by. */
  function adoptRules(sent: OwnCellRules): void {
    const text = JSON.stringify(sent);
    if (text === rules) return;
    rules = text;
    worlds = createOwnWorlds(sent);
    for (const { key } of cells.values()) bodies.delete(key);
    cells.clear();
  }

  /** Takes over the room's state of the own cells. */
  function reconcile(update: OwnUpdate, nowMs: number): void {
    if (!worlds) return;
    const { known } = worlds;
    player = update.player;
    rebase(
      nowMs,
      () => {
        const stepMs = known.stepRules.stepSeconds * 1000;
        const taken = acknowledge(inputs, update.acknowledged, update.tick, stepMs, nowMs);
        lead = leadMs(inputs, update.fastestMs);
        const steps = update.tick - known.clock.tick;
        const isNext = steps > 0 && steps <= MAX_AHEAD_SECONDS * known.rules.stepsPerSecond;
        if (!isNext) known.clock.tick = update.tick - 1;
        advanceKnown(known, update.tick, taken, tickOf);
        if (update.isFull) for (const cell of cells.values()) cell.viewId = undefined;
        Object.assign(known.tide, update.tide);
        const lost = adoptSeen(known, cells, update.seen, isNext ? steps : 1, createOwn);
        for (const cell of lost) takeBack(cell);
        for (const cell of cells.values()) relistOwnCell(bodies, cell);
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
    for (const { body, error, x, y, radius } of cells.values()) {
      closeError(error, elapsedMs / 1000);
      body.x = x + error.x;
      body.y = y + error.y;
      body.radius += (radius - body.radius) * eased;
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
      addError(cell.error, x - cell.x, y - cell.y);
    }
    return result;
  }

  function lookAhead(nowMs: number): void {
    if (!worlds || lookedMs === nowMs) return;
    lookedMs = nowMs;
    const { stepSeconds } = worlds.known.stepRules;
    const first = worlds.known.clock.tick;
    const until = (nowMs + lead) / (stepSeconds * 1000);
    const target = Math.min(Math.max(until, first), first + MAX_AHEAD_SECONDS / stepSeconds);
    const waiting = inputs.drafts.length === 0 ? inputs.underWay : [...inputs.underWay, ...inputs.drafts];
    shownTick = target;
    stepAhead(worlds, target, waiting, tickOf);
    placeCells(worlds, worlds.ahead.clock.tick - target);
  }

  /** `rest` is the part of the last step that is still to come. */
  function placeCells(worlds: OwnWorlds, rest: number): void {
    const slots = ownSlots(worlds.ahead);
    for (const slot of slots) {
      const { x, y, radius } = poseAhead(worlds, slot, rest);
      let cell = cells.get(slot);
      if (!cell) {
        cell = createOwn(slot, { x, y, radius });
        cells.set(slot, cell);
      }
      cell.x = x;
      cell.y = y;
      cell.radius = radius;
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
    const into = nearestOwnCell(cells, cell);
    bodies.delete(cell.key);
    if (into) onAbsorbed(cell.body, into.body);
  }

  /** Shown ahead of the room, like everything that own cells do. */
  function merge(cell: OwnCell): void {
    const into = nearestOwnCell(cells, cell);
    if (into && !cell.body.isMerged) onAbsorbed(cell.body, into.body);
    cell.body.isMerged = into !== undefined;
  }

  /** The step that an input is expected to take effect in. What the known state does not include comes after it. */
  function tickOf({ atMs }: Input): number {
    return Math.ceil((atMs + lead) / (worlds!.known.stepRules.stepSeconds * 1000));
  }

  function createOwn(slot: number, at: Readonly<Pose>): OwnCell {
    return createOwnCell(bodies, player!, slot, at);
  }
}

function noteCorrection(cell: OwnCell, x: number, y: number): void {
  cell.correctedX += x;
  cell.correctedY += y;
}

function ignoreCorrection(): void {}

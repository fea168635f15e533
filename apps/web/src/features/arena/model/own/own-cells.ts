import type { PlayerView } from '@engulf/netcode/arena-view';
import { addCell, changeCellMass, removeCell, updateCentres } from '@engulf/sim/cells';
import { applyCommand } from '@engulf/sim/commands';
import { OWN_PLAYER, stepOwnCells } from '@engulf/sim/own-cells';
import { playerId } from '@engulf/sim/players';
import { MILLI, mergeDelayTicks } from '@engulf/sim/rules';
import { radiusToMass } from '@engulf/sim/size';
import type { World } from '@engulf/sim/world';
import { type Bodies, type Body, createBody } from '../playout/bodies.ts';
import type { Input } from './inputs.ts';

/** One of the own cells: a slot of the predicted world, and how it is shown. */
export type OwnCell = {
  slot: number;
  /** The room's cell; undefined for one that so far exists only in the prediction. */
  viewId: number | undefined;
  /** Under which it is listed among the bodies. */
  key: number;
  readonly body: Body;
  /** As predicted. */
  x: number;
  y: number;
  radius: number;
  /** How far the shown position is from the prediction, and how fast it converges. */
  errorX: number;
  errorY: number;
  errorSpeedX: number;
  errorSpeedY: number;
  /** By how much the prediction turned out to be wrong since the last update. */
  correctedX: number;
  correctedY: number;
};

/** By slot. */
export type OwnCells = Map<number, OwnCell>;

/** An own cell as the room has it. */
export type SeenCell = {
  readonly id: number;
  readonly x: number;
  readonly y: number;
  readonly radius: number;
};

/** A cell of the room's that is farther than this from a predicted one is another cell. */
const SAME_CELL_WITHIN = 260;
/** A cell that moved this much more in a step than it was steered was launched, by a burst for instance. */
const LAUNCH_FROM_WORLD = 20;
/** The wire rounds radii to quarters. */
const RADIUS_TOLERANCE = 0.13;

let provisionalKey = 0;

export function ownSlots({ players }: World): Int32Array {
  return players.cells.subarray(0, players.cellCount[OWN_PLAYER]!);
}

export function applyInput(world: World, { type, x, y }: Input): void {
  const player = playerId(world.players, OWN_PLAYER);
  if (type === 'steer') applyCommand(world, { type, player, x, y });
  else if (type === 'split') applyCommand(world, { type, player });
}

/** Steps the known world on to `tick` with the inputs that the room has taken on the way. */
export function advanceKnown(
  world: World,
  tick: number,
  taken: readonly Input[],
  tickOf: (input: Input) => number,
): void {
  let next = 0;
  while (world.clock.tick < tick) {
    const stepTo = world.clock.tick + 1;
    for (; next < taken.length && (stepTo === tick || tickOf(taken[next]!) <= stepTo); next++) {
      applyInput(world, taken[next]!);
    }
    stepOwnCells(world);
  }
}

/**
 * Makes the known world hold exactly the cells that the room has, where the room has them. Returns the predicted
 * cells for which there is no place left.
 */
export function adoptSeen(
  world: World,
  cells: OwnCells,
  seen: readonly SeenCell[],
  steps: number,
  createOwn: (slot: number, at: SeenCell) => OwnCell,
): OwnCell[] {
  const byId = new Map([...cells.values()].map((cell) => [cell.viewId, cell]));
  const unclaimed = new Set(ownSlots(world));
  const slots = new Map<SeenCell, number>();
  const claim = (each: SeenCell, slot: number | undefined) => {
    if (slot === undefined || !unclaimed.delete(slot)) return;
    correct(world, slot, each, steps);
    slots.set(each, slot);
  };
  const present = seen.slice(0, world.rules.maxCellsPerPlayer);
  for (const each of present) claim(each, byId.get(each.id)?.slot);
  for (const each of present) if (!byId.has(each.id)) claim(each, nearestOf(world, unclaimed, each));
  // Before others are added: the world has room for no more cells than a player may have.
  for (const slot of unclaimed) removeCell(world, slot);
  const before = [...cells.values()];
  cells.clear();
  for (const each of present) {
    const slot = slots.get(each) ?? addSeen(world, each);
    const predicted = before.find((cell) => cell.slot === slot && cell.viewId === undefined);
    const own = byId.get(each.id) ?? predicted ?? createOwn(slot, each);
    own.slot = slot;
    own.viewId = each.id;
    cells.set(slot, own);
  }
  updateCentres(world);
  // The next prediction decides about those that so far exist only in it.
  return before.filter((cell) => {
    if (cell.viewId !== undefined) return false;
    if (cells.has(cell.slot)) return true;
    cells.set(cell.slot, cell);
    return false;
  });
}

export function createOwnCell(bodies: Bodies, player: PlayerView, slot: number, at: SeenCell): OwnCell {
  const key = --provisionalKey;
  const look = { kind: 'cell', player, colour: player.colour, isOwn: true } as const;
  const body = createBody({ ...at, ...look, id: key }, 0);
  bodies.set(key, body);
  return {
    slot,
    viewId: undefined,
    key,
    body,
    x: at.x,
    y: at.y,
    radius: at.radius,
    errorX: 0,
    errorY: 0,
    errorSpeedX: 0,
    errorSpeedY: 0,
    correctedX: 0,
    correctedY: 0,
  };
}

function addSeen(world: World, { x, y, radius }: SeenCell): number {
  const massMilli = Math.round(radiusToMass(radius) * MILLI);
  const slot = addCell(world, OWN_PLAYER, x, y, massMilli);
  world.bodies.bornTick[slot] = world.clock.tick - 1;
  world.bodies.mergeTick[slot] = world.clock.tick + mergeDelayTicks(world.rules, massMilli);
  return slot;
}

function correct(world: World, slot: number, { x, y, radius }: SeenCell, steps: number): void {
  const { bodies, stepRules } = world;
  const offX = x - bodies.x[slot]!;
  const offY = y - bodies.y[slot]!;
  const off = Math.hypot(offX, offY);
  if (off > LAUNCH_FROM_WORLD * steps && off < SAME_CELL_WITHIN) {
    const speedPerUnit = stepRules.boostKeptPerStep / (stepRules.stepSeconds * steps);
    bodies.boostX[slot]! += offX * speedPerUnit;
    bodies.boostY[slot]! += offY * speedPerUnit;
  }
  bodies.x[slot] = x;
  bodies.y[slot] = y;
  if (Math.abs(bodies.radius[slot]! - radius) < RADIUS_TOLERANCE) return;
  changeCellMass(world, slot, Math.round(radiusToMass(radius) * MILLI) - bodies.massMilli[slot]!);
}

function nearestOf({ bodies }: World, slots: Iterable<number>, { x, y }: SeenCell): number | undefined {
  let nearest: number | undefined;
  let distance = SAME_CELL_WITHIN;
  for (const slot of slots) {
    const away = Math.hypot(bodies.x[slot]! - x, bodies.y[slot]! - y);
    if (away >= distance) continue;
    distance = away;
    nearest = slot;
  }
  return nearest;
}

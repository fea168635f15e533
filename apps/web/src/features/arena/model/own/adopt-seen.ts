import { addCell, changeCellMass, removeCell, updateCentres } from '@engulf/sim/cells';
import { OWN_PLAYER } from '@engulf/sim/own-cells';
import { MILLI, mergeDelayTicks } from '@engulf/sim/rules';
import { radiusToMass } from '@engulf/sim/size';
import type { World } from '@engulf/sim/world';
import type { OwnCell, OwnCells, SeenCell } from './own-cells.ts';
import { ownSlots } from './own-worlds.ts';

/** A cell of the room's that is farther than this from a predicted one is another cell. */
const SAME_CELL_WITHIN = 260;
/** A cell that moved this much more in a step than it was steered was launched, by a burst for instance. */
const LAUNCH_FROM_WORLD = 20;
/** The wire rounds radii to quarters. */
const RADIUS_TOLERANCE = 0.13;

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

function addSeen(world: World, { x, y, radius }: SeenCell): number {
  const massMilli = Math.round(radiusToMass(world.rules.size, radius) * MILLI);
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
  changeCellMass(
    world,
    slot,
    Math.round(radiusToMass(world.rules.size, radius) * MILLI) - bodies.massMilli[slot]!,
  );
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

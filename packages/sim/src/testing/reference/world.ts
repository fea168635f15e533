import type { Streams } from '@engulf/sim/random';
import { MILLI, type Rules, type StepRules } from '@engulf/sim/rules';
import { massToRadius, type SizeLaw } from '@engulf/sim/size';
import type { Outcome } from '../../../../../bench/arena.ts';
import { type Box, insertItem, type QuadNode, removeItem, updateItem } from './quad-tree.ts';

/*
 * The arena as older servers keep it: an array with an object per body, an object per player with a list of
 * its cells, and one quadtree over everything. Bodies have the same slots as in the simulation, because the
 * slot decides ties and turns.
 */

export type Player = {
  readonly slot: number;
  readonly generation: number;
  isAlive: boolean;
  readonly cells: Body[];
  offsetX: number;
  offsetY: number;
  centreX: number;
  centreY: number;
  queuedSplits: number;
  queuedEjects: number;
  ejectReadyTick: number;
  invulnerableUntilTick: number;
};

export type Body = {
  readonly kind: 'cell' | 'ejected' | 'virus';
  readonly slot: number;
  readonly law: SizeLaw;
  readonly owner: Player | undefined;
  x: number;
  y: number;
  massMilli: number;
  radius: number;
  boostX: number;
  boostY: number;
  readonly bornTick: number;
  mergeTick: number;
  meals: number;
  /** Who eats it in this step. */
  eater: Body | undefined;
  readonly box: Box;
  node: QuadNode<Thing> | undefined;
  /** What the search for prey found in its box. */
  nearby: readonly Thing[] | undefined;
};

export type Food = {
  readonly kind: 'food';
  readonly x: number;
  readonly y: number;
  readonly mass: number;
  readonly colour: number;
  readonly box: Box;
  node: QuadNode<Thing> | undefined;
};

export type Thing = Body | Food;

export type ReferenceWorld = {
  readonly rules: Rules;
  readonly stepRules: StepRules;
  readonly streams: Streams;
  tick: number;
  readonly tide: { size: number; goal: number; risesAtTick: number; isHeld: boolean };
  readonly players: Player[];
  readonly bodies: (Body | undefined)[];
  readonly freeSlots: number[];
  /** Contains all bodies and all food. */
  readonly finder: QuadNode<Thing>;
  foodCount: number;
  readonly foodPerSquare: number[];
  foodGrowthCarry: number;
  ejectedCount: number;
  virusCount: number;
  outcomes: Outcome[];
};

export function addBody(
  world: ReferenceWorld,
  kind: Body['kind'],
  owner: Player | undefined,
  x: number,
  y: number,
  massMilli: number,
): Body {
  const law = world.rules.size;
  const radius = massToRadius(law, massMilli / MILLI);
  const body: Body = {
    kind,
    slot: world.freeSlots.pop() ?? world.bodies.length,
    law,
    owner,
    x,
    y,
    massMilli,
    radius,
    boostX: 0,
    boostY: 0,
    bornTick: world.tick,
    mergeTick: 0,
    meals: 0,
    eater: undefined,
    box: boxAround({ x, y, radius }),
    node: undefined,
    nearby: undefined,
  };
  world.bodies[body.slot] = body;
  insertItem<Thing>(world.finder, body);
  if (kind === 'cell') owner!.cells.push(body);
  else if (kind === 'ejected') world.ejectedCount++;
  else world.virusCount++;
  return body;
}

export function removeBody(world: ReferenceWorld, body: Body): void {
  world.bodies[body.slot] = undefined;
  world.freeSlots.push(body.slot);
  removeItem<Thing>(body);
  if (body.kind === 'ejected') world.ejectedCount--;
  else if (body.kind === 'virus') world.virusCount--;
  else {
    const { cells } = body.owner!;
    const last = cells.pop()!;
    if (last !== body) cells[cells.indexOf(body)] = last;
  }
}

export function setMass(body: Body, massMilli: number): void {
  body.massMilli = massMilli;
  body.radius = massToRadius(body.law, massMilli / MILLI);
}

/** Moves part of a cell's mass into a new sibling at the same position; the caller launches it. */
export function divideCell(world: ReferenceWorld, cell: Body, siblingMassMilli: number): Body {
  setMass(cell, cell.massMilli - siblingMassMilli);
  return addBody(world, 'cell', cell.owner, cell.x, cell.y, siblingMassMilli);
}

export function launch(body: Body, directionX: number, directionY: number, speed: number): void {
  body.boostX = directionX * speed;
  body.boostY = directionY * speed;
}

export function clampToBorder(body: Body, { rules, tide }: ReferenceWorld): void {
  const inset = Math.min(body.radius * rules.borderInset, tide.size / 2);
  const shore = (rules.worldSize - tide.size) / 2;
  const near = shore + inset;
  const far = rules.worldSize - shore - inset;
  body.x = Math.min(Math.max(body.x, near), far);
  body.y = Math.min(Math.max(body.y, near), far);
}

export function boxAround({ x, y, radius }: { x: number; y: number; radius: number }): Box {
  return { left: x - radius, top: y - radius, right: x + radius, bottom: y + radius };
}

/** Updates a body's position in the tree. */
export function updateBox(body: Body): void {
  const { box, x, y, radius } = body;
  const left = x - radius;
  const top = y - radius;
  const right = x + radius;
  const bottom = y + radius;
  if (left === box.left && top === box.top && right === box.right && bottom === box.bottom) return;
  box.left = left;
  box.top = top;
  box.right = right;
  box.bottom = bottom;
  updateItem<Thing>(body);
}

export function playerId(player: Player): number {
  return player.generation * 65_536 + player.slot;
}

export function isLarger(a: Body, b: Body): boolean {
  return a.massMilli > b.massMilli || (a.massMilli === b.massMilli && a.slot < b.slot);
}

import { insetFor, keepInside } from './movement.ts';
import { MILLI, type Rules } from './rules.ts';
import { massToRadius, type SizeLaw } from './size.ts';
import { shoreOf } from './tide.ts';

export const BODY = { none: 0, cell: 1, ejected: 2, virus: 3 } as const;
export type BodyKind = (typeof BODY)[keyof typeof BODY];

/**
 * Everything that moves, one slot each across these arrays: cells, ejected mass and viruses. A free slot has
 * kind `none`; slots from `top` on have never been used.
 */
export type Bodies = {
  readonly kind: Uint8Array;
  readonly generation: Uint32Array;
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly massMilli: Int32Array;
  readonly radius: Float64Array;
  /** Launch velocity in units per second; it fades. */
  readonly boostX: Float64Array;
  readonly boostY: Float64Array;
  /** The player's slot, for cells and ejected mass; -1 for viruses. */
  readonly owner: Int32Array;
  readonly bornTick: Int32Array;
  /** Cells only: the tick from which it may merge with its siblings. */
  readonly mergeTick: Int32Array;
  /** Viruses only: pieces eaten since the last shot. */
  readonly meals: Uint8Array;
  readonly freeSlots: Int32Array;
  freeCount: number;
  top: number;
  ejectedCount: number;
  virusCount: number;
};

export function createBodies(rules: Rules): Bodies {
  const capacity =
    rules.maxPlayers * rules.maxCellsPerPlayer + rules.ejecting.maxEjected + rules.viruses.maxCount;
  if (capacity > 65_535)
    throw new RangeError(`A world holds at most 65535 bodies, these rules need ${capacity}`);
  return {
    kind: new Uint8Array(capacity),
    generation: new Uint32Array(capacity),
    x: new Float64Array(capacity),
    y: new Float64Array(capacity),
    massMilli: new Int32Array(capacity),
    radius: new Float64Array(capacity),
    boostX: new Float64Array(capacity),
    boostY: new Float64Array(capacity),
    owner: new Int32Array(capacity),
    bornTick: new Int32Array(capacity),
    mergeTick: new Int32Array(capacity),
    meals: new Uint8Array(capacity),
    freeSlots: new Int32Array(capacity),
    freeCount: 0,
    top: 0,
    ejectedCount: 0,
    virusCount: 0,
  };
}

/**
 * Takes a slot for a new body at rest. The mechanics enforce a limit for each kind and the limits add up to
 * the capacity, so a full pool is a bug.
 */
export function addBody(
  bodies: Bodies,
  rules: Rules,
  kind: BodyKind,
  owner: number,
  x: number,
  y: number,
  massMilli: number,
  tick: number,
): number {
  const slot = bodies.freeCount > 0 ? bodies.freeSlots[--bodies.freeCount]! : bodies.top++;
  if (slot >= bodies.kind.length) throw new Error('The body pool is full');
  bodies.kind[slot] = kind;
  bodies.generation[slot]!++;
  bodies.x[slot] = x;
  bodies.y[slot] = y;
  setMass(bodies, rules.size, slot, massMilli);
  bodies.boostX[slot] = 0;
  bodies.boostY[slot] = 0;
  bodies.owner[slot] = owner;
  bodies.bornTick[slot] = tick;
  bodies.mergeTick[slot] = 0;
  bodies.meals[slot] = 0;
  if (kind === BODY.ejected) bodies.ejectedCount++;
  else if (kind === BODY.virus) bodies.virusCount++;
  return slot;
}

/** Frees a slot. Cells go through `removeCell` in cells.ts, which also takes them off their owner. */
export function removeBody(bodies: Bodies, slot: number): void {
  const kind = bodies.kind[slot];
  if (kind === BODY.ejected) bodies.ejectedCount--;
  else if (kind === BODY.virus) bodies.virusCount--;
  bodies.kind[slot] = BODY.none;
  bodies.freeSlots[bodies.freeCount++] = slot;
}

export function setMass(bodies: Bodies, law: SizeLaw, slot: number, massMilli: number): void {
  bodies.massMilli[slot] = massMilli;
  bodies.radius[slot] = massToRadius(law, massMilli / MILLI);
}

export function launch(
  bodies: Bodies,
  slot: number,
  directionX: number,
  directionY: number,
  speed: number,
): void {
  bodies.boostX[slot] = directionX * speed;
  bodies.boostY[slot] = directionY * speed;
}

/** Keeps a body within the dry square. */
export function clampToBorder(bodies: Bodies, slot: number, rules: Rules, drySize: number): void {
  const inset = insetFor(bodies.radius[slot]!, rules.borderInset, drySize);
  const shore = shoreOf(rules, drySize);
  const near = shore + inset;
  const far = rules.worldSize - shore - inset;
  bodies.x[slot] = keepInside(bodies.x[slot]!, near, far);
  bodies.y[slot] = keepInside(bodies.y[slot]!, near, far);
}

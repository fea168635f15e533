import type { FoodView } from '@engulf/netcode/decode/arena-view';

/** Two floats for each corner: top left, top right, bottom right, bottom left. */
export const QUAD_FLOATS = 8;
const FIRST_CAPACITY = 512;

/** A square for every piece of food. A piece keeps its place in the arrays; empty places have no area. */
export type FoodQuads = {
  positions: Float32Array;
  uvs: Float32Array;
  readonly slots: Map<FoodView, number>;
  readonly free: number[];
  /** Places up to here have been used. */
  top: number;
};

/** The corners of a picture in its texture, in the order of the positions. */
type QuadUvs = {
  readonly x0: number;
  readonly y0: number;
  readonly x1: number;
  readonly y1: number;
  readonly x2: number;
  readonly y2: number;
  readonly x3: number;
  readonly y3: number;
};

export function createFoodQuads(): FoodQuads {
  return {
    positions: new Float32Array(FIRST_CAPACITY * QUAD_FLOATS),
    uvs: new Float32Array(FIRST_CAPACITY * QUAD_FLOATS),
    slots: new Map(),
    free: [],
    top: 0,
  };
}

/** Updates the squares to those of `shown`. Returns the places that changed, or that the arrays were replaced. */
export function syncFoodQuads(
  quads: FoodQuads,
  shown: ReadonlyMap<number, FoodView>,
  uvsOf: (item: FoodView) => QuadUvs,
): { readonly from: number; readonly to: number } | 'grown' | undefined {
  const { slots, free } = quads;
  const before = quads.positions;
  let from = Number.POSITIVE_INFINITY;
  let to = 0;
  for (const [item, slot] of slots) {
    if (shown.get(item.id) === item) continue;
    slots.delete(item);
    free.push(slot);
    quads.positions.fill(0, slot * QUAD_FLOATS, (slot + 1) * QUAD_FLOATS);
    from = Math.min(from, slot);
    to = Math.max(to, slot + 1);
  }
  for (const item of shown.values()) {
    if (slots.has(item)) continue;
    const slot = free.pop() ?? quads.top++;
    if (slot * QUAD_FLOATS === quads.positions.length) grow(quads);
    slots.set(item, slot);
    write(quads, slot, item, uvsOf(item));
    from = Math.min(from, slot);
    to = Math.max(to, slot + 1);
  }
  if (quads.positions !== before) return 'grown';
  return to > 0 ? { from, to } : undefined;
}

function grow(quads: FoodQuads): void {
  const twice = (array: Float32Array) => {
    const larger = new Float32Array(array.length * 2);
    larger.set(array);
    return larger;
  };
  quads.positions = twice(quads.positions);
  quads.uvs = twice(quads.uvs);
}

function write(
  { positions, uvs }: FoodQuads,
  slot: number,
  { x, y, radius }: FoodView,
  corners: QuadUvs,
): void {
  const at = slot * QUAD_FLOATS;
  positions[at] = x - radius;
  positions[at + 1] = y - radius;
  positions[at + 2] = x + radius;
  positions[at + 3] = y - radius;
  positions[at + 4] = x + radius;
  positions[at + 5] = y + radius;
  positions[at + 6] = x - radius;
  positions[at + 7] = y + radius;
  uvs[at] = corners.x0;
  uvs[at + 1] = corners.y0;
  uvs[at + 2] = corners.x1;
  uvs[at + 3] = corners.y1;
  uvs[at + 4] = corners.x2;
  uvs[at + 5] = corners.y2;
  uvs[at + 6] = corners.x3;
  uvs[at + 7] = corners.y3;
}

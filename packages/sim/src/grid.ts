import { BODY, type Bodies } from './bodies.ts';
import type { Rules } from './rules.ts';

/** World units along one side of a grid square: about the size of a large cell. */
const SQUARE = 128;

/**
 * A uniform grid over the centres of all bodies, rebuilt by counting sort. The bodies of square `s` are
 * `items[starts[s]] … items[starts[s + 1] - 1]`, so the squares of one row are one contiguous run of items.
 */
export type Grid = {
  readonly side: number;
  readonly starts: Int32Array;
  readonly items: Int32Array;
  readonly squareOf: Int32Array;
  /** Per body, who eats it in this step (eating.ts). Kept here because it is scratch space of the same size. */
  readonly eaterOf: Int32Array;
};

export function createGrid(rules: Rules, bodyCapacity: number): Grid {
  const side = Math.ceil(rules.worldSize / SQUARE);
  return {
    side,
    starts: new Int32Array(side * side + 2),
    items: new Int32Array(bodyCapacity),
    squareOf: new Int32Array(bodyCapacity),
    eaterOf: new Int32Array(bodyCapacity),
  };
}

export function rebuildGrid(grid: Grid, bodies: Bodies): void {
  const { side, starts, items, squareOf } = grid;
  const { kind, x, y, top } = bodies;
  starts.fill(0);
  // Counted one place further on: while the items are filled in, starts[s + 1] moves from the start of square
  // s to its end, which is the start of the next square.
  for (let body = 0; body < top; body++) {
    if (kind[body] === BODY.none) continue;
    const square = gridIndex(y[body]!, side) * side + gridIndex(x[body]!, side);
    squareOf[body] = square;
    starts[square + 2]!++;
  }
  for (let s = 2; s < starts.length; s++) starts[s]! += starts[s - 1]!;
  for (let body = 0; body < top; body++) {
    if (kind[body] === BODY.none) continue;
    items[starts[squareOf[body]! + 1]!++] = body;
  }
}

/** The row or column of a coordinate, clamped to the grid. */
export function gridIndex(coordinate: number, side: number): number {
  const index = (coordinate / SQUARE) | 0;
  return index < 0 ? 0 : index >= side ? side - 1 : index;
}

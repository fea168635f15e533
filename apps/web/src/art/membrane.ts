import { seededRandom } from './paint.ts';

export type Circle = { readonly x: number; readonly y: number; readonly r: number };

/** Thickness of the membrane: 7 % of the radius, clamped to 4 to 14. */
export function borderThickness(radius: number): number {
  return Math.min(14, Math.max(4, radius * 0.07));
}

/** A cell at rest: a circle that wobbles by about one per cent. */
export function blobOutline({ x, y, r }: Circle, seed: number, wobble = 0.012): Path2D {
  const random = seededRandom(seed * 977 + 13);
  const phases = [random() * 6.3, random() * 6.3, random() * 6.3] as const;
  const path = new Path2D();
  const steps = Math.max(40, Math.min(160, Math.trunc(r)));
  for (let step = 0; step < steps; step++) {
    const angle = (step / steps) * 2 * Math.PI;
    const wave =
      0.55 * Math.sin(3 * angle + phases[0]) +
      0.35 * Math.sin(5 * angle + phases[1]) +
      0.25 * Math.sin(8 * angle + phases[2]);
    const reach = r * (1 + wobble * wave);
    path.lineTo(x + reach * Math.cos(angle), y + reach * Math.sin(angle));
  }
  path.closePath();
  return path;
}

/** A cell whose membrane closes around its prey. */
export function cupOutline(cell: Circle, prey: Circle, gap: number, lipEnd = 1.05): Path2D {
  const lips = lipCircles(cell, prey, gap, lipEnd);
  const distance = (x: number, y: number) => {
    const wobble = 0.01 * cell.r * Math.sin(4 * Math.atan2(y - cell.y, x - cell.x) + 1);
    let inside = Math.hypot(x - cell.x, y - cell.y) - cell.r - wobble;
    for (const lip of lips) {
      inside = smoothMin(inside, Math.hypot(x - lip.x, y - lip.y) - lip.r, prey.r * 0.62);
    }
    const outsidePrey = prey.r + gap - Math.hypot(x - prey.x, y - prey.y);
    return -smoothMin(-inside, -outsidePrey, prey.r * 0.3);
  };
  const centre = { x: (cell.x + prey.x) / 2, y: (cell.y + prey.y) / 2, r: cell.r * 1.75 };
  return traceOutline(distance, centre);
}

function lipCircles(cell: Circle, prey: Circle, gap: number, lipEnd: number): Circle[] {
  const heading = Math.atan2(prey.y - cell.y, prey.x - cell.x);
  const root = 2.6;
  return [1, -1].flatMap((side) =>
    Array.from({ length: 8 }, (_, index) => {
      const along = index / 7;
      const angle = heading + side * (root + (lipEnd - root) * along);
      const r = prey.r * (0.66 - 0.2 * along);
      const reach = prey.r + gap + r * 0.9;
      return { x: prey.x + reach * Math.cos(angle), y: prey.y + reach * Math.sin(angle), r };
    }),
  );
}

function smoothMin(a: number, b: number, blend: number): number {
  const overlap = Math.max(blend - Math.abs(a - b), 0) / blend;
  return Math.min(a, b) - (overlap * overlap * blend) / 4;
}

const GRID = 150;
/** The edges where the outline enters and leaves a grid square, by which of its corners are inside. */
const CROSSINGS: { readonly [corners: number]: string } = {
  1: 'LT',
  2: 'TR',
  3: 'LR',
  4: 'RB',
  5: 'LTRB',
  6: 'TB',
  7: 'LB',
  8: 'BL',
  9: 'BT',
  10: 'TRBL',
  11: 'BR',
  12: 'RL',
  13: 'RT',
  14: 'TL',
};

/** Marching squares: the smoothed zero line of a signed distance. */
function traceOutline(distance: (x: number, y: number) => number, area: Circle): Path2D {
  const left = area.x - area.r;
  const top = area.y - area.r;
  const size = (area.r * 2) / GRID;
  const stride = GRID + 1;
  const values = new Float64Array(stride * stride);
  for (let row = 0; row <= GRID; row++) {
    for (let column = 0; column <= GRID; column++) {
      values[row * stride + column] = distance(left + column * size, top + row * size);
    }
  }
  const points = new Map<number, readonly [number, number]>();
  const crossing = (row: number, column: number, isDown: boolean): number => {
    const index = row * stride + column;
    const key = index * 2 + (isDown ? 1 : 0);
    if (!points.has(key)) {
      const from = values[index]!;
      const along = from / (from - values[index + (isDown ? stride : 1)]!);
      const x = left + (column + (isDown ? 0 : along)) * size;
      const y = top + (row + (isDown ? along : 0)) * size;
      points.set(key, [x, y]);
    }
    return key;
  };
  const next = new Map<number, number>();
  for (let row = 0; row < GRID; row++) {
    for (let column = 0; column < GRID; column++) {
      const index = row * stride + column;
      const corners = [index, index + 1, index + stride + 1, index + stride].reduce(
        (bits, corner, bit) => bits | ((values[corner]! < 0 ? 1 : 0) << bit),
        0,
      );
      const edges = CROSSINGS[corners] ?? '';
      for (let edge = 0; edge < edges.length; edge += 2) {
        next.set(edgeKey(edges[edge]!, row, column), edgeKey(edges[edge + 1]!, row, column));
      }
    }
  }
  return smoothLoops(next, points);

  function edgeKey(edge: string, row: number, column: number): number {
    if (edge === 'T') return crossing(row, column, false);
    if (edge === 'B') return crossing(row + 1, column, false);
    return edge === 'L' ? crossing(row, column, true) : crossing(row, column + 1, true);
  }
}

const SMOOTHING = 3;
const SHORTEST_LOOP = 8;

function smoothLoops(
  next: Map<number, number>,
  points: ReadonlyMap<number, readonly [number, number]>,
): Path2D {
  const path = new Path2D();
  for (let [start] = next.keys(); start !== undefined; [start] = next.keys()) {
    const loop: (readonly [number, number])[] = [];
    for (let key: number | undefined = start; key !== undefined; ) {
      const following = next.get(key);
      if (following === undefined) break;
      loop.push(points.get(key)!);
      next.delete(key);
      key = following;
    }
    if (loop.length < SHORTEST_LOOP) continue;
    for (let index = 0; index < loop.length; index++) {
      let x = 0;
      let y = 0;
      for (let offset = -SMOOTHING; offset <= SMOOTHING; offset++) {
        const point = loop[(index + offset + loop.length) % loop.length]!;
        x += point[0];
        y += point[1];
      }
      const count = 2 * SMOOTHING + 1;
      if (index === 0) path.moveTo(x / count, y / count);
      else path.lineTo(x / count, y / count);
    }
    path.closePath();
  }
  return path;
}

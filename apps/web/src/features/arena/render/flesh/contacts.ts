import { RING_COS, RING_POINTS, RING_SIN, type SoftBody } from './soft-body.ts';

/*
 * How a cell's membrane yields to what touches it. Each function moves the rest position of the points concerned.
 * Positions are relative to the cell's centre and in units of its radius, so that the same rules apply to every size.
 */

const DEEPEST_DENT = -0.5;
const WOBBLE = 0.012;

/** Without contact: a slow wobble, and a stretch in the direction of movement. */
export function shapeFreely({ rest }: SoftBody, phase: number, velocityX: number, velocityY: number): void {
  const speed = Math.hypot(velocityX, velocityY);
  const stretch = Math.min(0.11, speed * 0.014);
  const [ux, uy] = speed > 1e-6 ? [velocityX / speed, velocityY / speed] : [1, 0];
  const [sin, cos] = [Math.sin(phase), Math.cos(phase)];
  for (let i = 0; i < RING_POINTS; i++) {
    const along = RING_COS[i]! * ux + RING_SIN[i]! * uy;
    const triple = (3 * i) % RING_POINTS;
    const five = (5 * i) % RING_POINTS;
    rest[i] =
      WOBBLE * 0.6 * (RING_SIN[triple]! * cos + RING_COS[triple]! * sin) +
      WOBBLE * 0.4 * (RING_SIN[five]! * cos - RING_COS[five]! * sin) +
      stretch * (2 * along * along - 1);
  }
}

/** Flattens the membrane at a straight wall; `distance` is from the centre to the wall, `n` points to it. */
export function meetWall({ rest }: SoftBody, nx: number, ny: number, distance: number): void {
  if (distance >= 1) return;
  for (let i = 0; i < RING_POINTS; i++) {
    const towards = RING_COS[i]! * nx + RING_SIN[i]! * ny;
    if (towards <= 0.05) continue;
    const dent = Math.max(DEEPEST_DENT, distance / towards - 1);
    if (dent < rest[i]!) rest[i] = dent;
  }
}

/** Flattens the membrane against another cell that it cannot swallow. */
export function meetCell(body: SoftBody, x: number, y: number, radius: number): void {
  const distance = Math.hypot(x, y);
  if (distance >= 1 + radius || distance < 0.2) return;
  const chord = (distance * distance + 1 - radius * radius) / (2 * distance);
  meetWall(body, x / distance, y / distance, Math.max(0.5, chord));
}

/** A dent made by something hard, such as a virus. */
export function makeDent({ rest }: SoftBody, x: number, y: number, radius: number, deepest: number): void {
  const squared = x * x + y * y - radius * radius;
  for (let i = 0; i < RING_POINTS; i++) {
    const along = RING_COS[i]! * x + RING_SIN[i]! * y;
    const inside = along * along - squared;
    if (along <= 0 || inside <= 0) continue;
    const dent = Math.max(deepest, along - Math.sqrt(inside) - 1);
    if (dent < rest[i]!) rest[i] = dent;
  }
}

/** A mouth around prey that is partly inside: a dent as wide as the prey, with a lip on each side. */
export function openMouth(body: SoftBody, x: number, y: number, preyRadius: number): void {
  const distance = Math.hypot(x, y);
  const overlap = 1 + preyRadius - distance;
  if (overlap <= 0) return;
  const dentRadius = preyRadius * 1.16;
  makeDent(body, x, y, dentRadius, -0.75);
  const eagerness = Math.min(1, overlap / (1.1 * preyRadius));
  const halfWidth = Math.asin(Math.min(0.94, dentRadius / Math.max(distance, dentRadius)));
  const heading = Math.atan2(y, x);
  const lip = Math.min(0.22, preyRadius * 0.5) * eagerness;
  const lipWidth = 0.16 + 0.36 * Math.min(0.6, preyRadius);
  const { rest } = body;
  for (let i = 0; i < RING_POINTS; i++) {
    const cos = RING_COS[i]! * Math.cos(heading) + RING_SIN[i]! * Math.sin(heading);
    const away = (Math.acos(Math.min(1, Math.max(-1, cos))) - halfWidth - lipWidth * 0.55) / lipWidth;
    if (away < -1.2 || away > 2.2) continue;
    const lift = lip * Math.exp(-(away ** 4) * 1.2);
    if (rest[i]! > -0.03 && lift > rest[i]!) rest[i] = lift;
  }
}

/** Wraps the membrane around something at its edge, such as swallowed prey on its way in. */
export function wrapAround({ rest }: SoftBody, x: number, y: number, radius: number): void {
  const squared = x * x + y * y - radius * radius;
  for (let i = 0; i < RING_POINTS; i++) {
    const along = RING_COS[i]! * x + RING_SIN[i]! * y;
    const inside = along * along - squared;
    if (inside <= 0) continue;
    const lift = Math.min(0.9, along + Math.sqrt(inside) - 1);
    if (lift > rest[i]!) rest[i] = lift;
  }
}

/** A neck towards a sibling that is leaving or joining; it thins out as the gap widens. */
export function growNeck({ rest }: SoftBody, x: number, y: number, radius: number, share: number): void {
  const distance = Math.hypot(x, y);
  const gap = distance - 1 - radius;
  const longest = 0.9 * Math.min(1, radius);
  if (gap >= longest || distance < 1e-3) return;
  const [ux, uy] = [x / distance, y / distance];
  const length = Math.max(0.04, gap * 0.5 + 0.07) * share;
  const width = 0.62 * Math.min(1, radius) * (1 - Math.max(0, gap) / longest) + 0.1;
  for (let i = 0; i < RING_POINTS; i++) {
    const cos = RING_COS[i]! * ux + RING_SIN[i]! * uy;
    if (cos < 0.5) continue;
    const away = Math.sqrt(2 - 2 * cos) / width;
    const lift = length * Math.exp(-away * away);
    if (lift > rest[i]!) rest[i] = lift;
  }
}

/** Of its circle, a cell keeps at least this much of its area: who is larger must be seen in any fight. */
const LEAST_AREA = 0.88;
const EASE = 0.88;

/** Lets the dents of others yield until a cell has enough of its area left. */
export function keepVisible({ rest }: SoftBody): void {
  for (let easing = 0; easing < 24 && areaOf(rest) < LEAST_AREA; easing++) {
    for (let i = 0; i < RING_POINTS; i++) if (rest[i]! < 0) rest[i]! *= EASE;
  }
}

/** How much of its circle a membrane covers. What it bulges beyond does not count. */
export function areaOf(offsets: Float32Array): number {
  let sum = 0;
  for (const offset of offsets) sum += (1 + Math.min(0, offset)) ** 2;
  return sum / RING_POINTS;
}

/** What is pushed in comes out elsewhere, so that a squeezed cell keeps its area. */
export function keepArea({ rest }: SoftBody): void {
  let sum = 0;
  for (let i = 0; i < RING_POINTS; i++) sum += rest[i]!;
  const mean = sum / RING_POINTS;
  if (mean > -0.002) return;
  for (let i = 0; i < RING_POINTS; i++) if (rest[i]! > -0.03) rest[i]! -= mean;
}

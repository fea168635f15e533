/*
 * A membrane as a ring of points around its cell. Each point moves only along its own ray: `offset` is its distance from
 * the circle, as a share of the radius. Springs pull it to the circle and to its neighbours; contacts move its rest
 * position.
 */
export const RING_POINTS = 64;

export type SoftBody = {
  readonly offset: Float32Array;
  readonly speed: Float32Array;
  /** The rest position of each point; set again for every frame. */
  readonly rest: Float32Array;
};

const STEP_S = 0.008;
const MAX_STEPS = 6;
/** Per second squared: for a free point, for one in contact with something, and between neighbours. */
const STIFFNESS = 210;
const HELD_STIFFNESS = 2_600;
const TENSION = 5_000;
/** Per second. A point in contact hardly swings. */
const DAMPING = 13;
const HELD_DAMPING = 50;
const HELD_FROM = 0.03;
const LIMIT = { min: -0.9, max: 1.2 } as const;

export const RING_COS = Float32Array.from({ length: RING_POINTS }, (_, i) => Math.cos(angleOf(i)));
export const RING_SIN = Float32Array.from({ length: RING_POINTS }, (_, i) => Math.sin(angleOf(i)));

function angleOf(point: number): number {
  return (point / RING_POINTS) * 2 * Math.PI;
}

export function createSoftBody(): SoftBody {
  return {
    offset: new Float32Array(RING_POINTS),
    speed: new Float32Array(RING_POINTS),
    rest: new Float32Array(RING_POINTS),
  };
}

/** Resets it to a circle at rest. */
export function resetSoftBody({ offset, speed, rest }: SoftBody): void {
  offset.fill(0);
  speed.fill(0);
  rest.fill(0);
}

/** Advances the springs, by a few frames at most. */
export function stepSoftBody({ offset, speed, rest }: SoftBody, elapsedMs: number): void {
  const steps = Math.min(MAX_STEPS, Math.ceil(elapsedMs / 1000 / STEP_S));
  for (let step = 0; step < steps; step++) {
    let before = offset[RING_POINTS - 1]!;
    const first = offset[0]!;
    for (let i = 0; i < RING_POINTS; i++) {
      const here = offset[i]!;
      const after = i + 1 < RING_POINTS ? offset[i + 1]! : first;
      const target = rest[i]!;
      const isHeld = Math.abs(target) > HELD_FROM;
      const pull =
        (isHeld ? HELD_STIFFNESS : STIFFNESS) * (target - here) +
        TENSION * (before + after - 2 * here) -
        (isHeld ? HELD_DAMPING : DAMPING) * speed[i]!;
      speed[i]! += pull * STEP_S;
      before = here;
    }
    for (let i = 0; i < RING_POINTS; i++) {
      offset[i] = Math.min(LIMIT.max, Math.max(LIMIT.min, offset[i]! + speed[i]! * STEP_S));
    }
  }
}

/** Pushes the membrane at an angle, outwards or (negative) inwards; `width` is in radians. */
export function strike({ speed }: SoftBody, angle: number, strength: number, width: number): void {
  for (let i = 0; i < RING_POINTS; i++) {
    const away = turnBetween(angleOf(i), angle) / width;
    speed[i]! += strength * Math.exp(-away * away);
  }
}

/** A wave around the whole membrane: it overshoots and swings back. */
export function ripple({ speed }: SoftBody, angle: number, strength: number): void {
  for (let i = 0; i < RING_POINTS; i++) {
    speed[i]! += strength * Math.cos(3 * turnBetween(angleOf(i), angle));
  }
}

/** The distance of the membrane from the centre at an angle, in radii. */
export function reachAt({ offset }: SoftBody, angle: number): number {
  const at = (angle / (2 * Math.PI)) * RING_POINTS;
  const floor = Math.floor(at);
  const share = at - floor;
  const here = offset[wrap(floor)]!;
  return 1 + here + (offset[wrap(floor + 1)]! - here) * share;
}

function wrap(index: number): number {
  return ((index % RING_POINTS) + RING_POINTS) % RING_POINTS;
}

function turnBetween(a: number, b: number): number {
  const turn = (((a - b) % (2 * Math.PI)) + 3 * Math.PI) % (2 * Math.PI);
  return turn - Math.PI;
}

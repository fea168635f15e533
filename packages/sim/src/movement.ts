import { powExact } from './exact-math.ts';
import { massToRadius, type SizeLaw } from './size.ts';

/*
 * How a cell moves: steered towards the pointer, carried on by a fading launch, kept inside the border. Both
 * the step and the client's prediction call these functions, so that they cannot drift apart.
 */

/** The rules that decide where a steered cell goes. Every full snapshot carries them to the client. */
export type MovementRules = {
  readonly stepsPerSecond: number;
  readonly worldSize: number;
  readonly borderInset: number;
  readonly size: SizeLaw;
  readonly steering: { readonly speed: number; readonly radiusExponent: number };
  readonly boost: { readonly decayPerSecond: number; readonly stopBelowSpeed: number };
  readonly cells: { readonly maxMass: number };
};

/** The rules turned into factors per step, once per world. */
export function deriveMovement(rules: MovementRules) {
  const { stopBelowSpeed } = rules.boost;
  return {
    stepSeconds: 1 / rules.stepsPerSecond,
    boostKeptPerStep: boostKeptPerStep(rules),
    boostStopSquared: stopBelowSpeed * stopBelowSpeed,
    speedByRadius: speedTable(rules),
  };
}

export function boostKeptPerStep({ boost, stepsPerSecond }: MovementRules): number {
  return powExact(Math.E, -boost.decayPerSecond / stepsPerSecond);
}

/** Units that a cell of this radius covers in one step when nothing slows it down. */
export function steeringReach(speedByRadius: Float64Array, stepSeconds: number, radius: number): number {
  const index = Math.min(radius | 0, speedByRadius.length - 2);
  const low = speedByRadius[index]!;
  // Read between the two nearest whole radii of the table.
  return (low + (speedByRadius[index + 1]! - low) * (radius - index)) * stepSeconds;
}

/**
 * The share of the way to its target (dx, dy) that a cell covers in one step. It slows down once the target
 * is inside it: speed · (distance / radius when inside) · direction, with the distance cancelled out.
 */
export function steeringShare(reach: number, radius: number, dx: number, dy: number): number {
  const distance = Math.sqrt(dx * dx + dy * dy);
  return reach / (distance > radius ? distance : radius);
}

/** What a step leaves of one component of a launch. Below the stopping speed it ends at once. */
export function fadeBoost(
  component: number,
  speedSquared: number,
  keptPerStep: number,
  stopSquared: number,
): number {
  return speedSquared > stopSquared ? component * keptPerStep : 0;
}

/** How far from the border a centre stays; a body wider than the dry square sits in its middle. */
export function insetFor(radius: number, borderInset: number, drySize: number): number {
  return Math.min(radius * borderInset, drySize / 2);
}

export function keepInside(coordinate: number, inset: number, far: number): number {
  return coordinate < inset ? inset : coordinate > far ? far : coordinate;
}

/** Speed in units a second by whole radius. */
function speedTable({ cells, size, steering }: MovementRules): Float64Array {
  const table = new Float64Array(Math.ceil(massToRadius(size, cells.maxMass)) + 64);
  for (let radius = 0; radius < table.length; radius++) {
    table[radius] = steering.speed * powExact(Math.max(radius, 1), steering.radiusExponent);
  }
  return table;
}

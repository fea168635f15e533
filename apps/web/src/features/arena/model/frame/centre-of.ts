import { radiusToMass, type SizeLaw } from '@engulf/sim/size';
import { type Bodies, type Body, isShown } from '../playout/bodies.ts';
import type { ShownPlayer } from './frame.ts';

/** Of the shown cells that are somebody's, by mass. Undefined if there are none. */
export function centreOf(
  bodies: Bodies,
  law: SizeLaw,
  isTheirs: (body: Body) => boolean,
): ShownPlayer | undefined {
  let x = 0;
  let y = 0;
  let mass = 0;
  let cellCount = 0;
  let primary: Body | undefined;
  for (const body of bodies.values()) {
    if (!isTheirs(body) || !isShown(body)) continue;
    const cellMass = radiusToMass(law, body.radius);
    x += body.x * cellMass;
    y += body.y * cellMass;
    mass += cellMass;
    cellCount++;
    if (!primary || body.radius > primary.radius) primary = body;
  }
  if (!primary?.player) return undefined;
  return { player: primary.player, x: x / mass, y: y / mass, mass, cellCount, primary };
}

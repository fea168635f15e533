import { type Bodies, isShown } from '../playout/bodies.ts';
import { isInSight } from './camera.ts';
import type { Frame } from './frame.ts';

/** Glow and spikes extend beyond the radius. */
const SIGHT_MARGIN = 1.5;

/** Lists in the frame what its camera sees. */
export function collectSight({ cells, viruses, massFood, camera }: Frame, bodies: Bodies): void {
  cells.length = 0;
  viruses.length = 0;
  massFood.length = 0;
  for (const body of bodies.values()) {
    if (!isShown(body) || !isInSight(camera, body.x, body.y, body.radius * SIGHT_MARGIN)) continue;
    if (body.kind === 'cell') cells.push(body);
    else if (body.kind === 'virus') viruses.push(body);
    else massFood.push(body);
  }
  cells.sort((a, b) => a.radius - b.radius);
}

import { BODY } from '@engulf/sim/bodies';
import { playerId } from '@engulf/sim/players';
import type { World } from '@engulf/sim/world';
import { colourOf, type Roster } from './roster.ts';

const MAX_CELLS = 32;

/** The largest cells of the arena, five whole numbers each: id, x, y, radius, colour. */
export function sketchArena(world: World, roster: Roster): number[] {
  const { bodies, players } = world;
  const cells: number[] = [];
  for (let body = 0; body < bodies.top; body++) if (bodies.kind[body] === BODY.cell) cells.push(body);
  cells.sort((a, b) => bodies.radius[b]! - bodies.radius[a]!);
  return cells.slice(0, MAX_CELLS).flatMap((body) => {
    const [x, y, radius] = [bodies.x[body]!, bodies.y[body]!, bodies.radius[body]!].map(Math.round);
    return [body, x!, y!, radius!, colourOf(roster, playerId(players, bodies.owner[body]!))];
  });
}

import { BODY, removeBody } from '../bodies.ts';
import { changeCellMass, removeCell, removePlayer } from '../cells.ts';
import { gridIndex, rebuildGrid } from '../grid.ts';
import { isInvulnerable, playerId } from '../players.ts';
import type { World } from '../world.ts';
import { moveBounty } from './bounty.ts';
import { burst, feedVirus } from './viruses.ts';

const NOBODY = -1;

/**
 * Who eats whom is decided for all bodies at once, from their positions after moving: each prey goes to the
 * largest body that can eat it, and a body that is being eaten eats nothing in this step. The outcome
 * therefore does not depend on the order in which pairs are found.
 */
export function eatBodies(world: World): void {
  const { bodies, grid } = world;
  rebuildGrid(grid, bodies);
  const { eaterOf } = grid;
  // A burst adds bodies while the loop below runs: only those judged before may be eaten.
  const judged = bodies.top;
  eaterOf.fill(NOBODY, 0, judged);
  const isAnyoneEaten = findEaters(world);
  if (!isAnyoneEaten) return;
  for (let prey = 0; prey < judged; prey++) {
    const eater = eaterOf[prey]!;
    if (eater !== NOBODY && eaterOf[eater] === NOBODY) swallow(world, eater, prey);
  }
}

function findEaters(world: World): boolean {
  const { bodies, players, grid, rules, clock } = world;
  const { kind, x, y, radius, massMilli, owner, top } = bodies;
  const { side, starts, items, eaterOf } = grid;
  const { massRatio, preyDepth } = rules.eating;
  let isAnyoneEaten = false;

  for (let eater = 0; eater < top; eater++) {
    const eaterKind = kind[eater];
    if (eaterKind !== BODY.cell && eaterKind !== BODY.virus) continue;
    const eaterOwner = owner[eater]!;
    const eatsPlayers = eaterKind === BODY.cell && !isInvulnerable(players, eaterOwner, clock.tick);
    const ex = x[eater]!;
    const ey = y[eater]!;
    const er = radius[eater]!;
    const edibleBelow = massMilli[eater]! / massRatio;
    const column0 = gridIndex(ex - er, side);
    const column1 = gridIndex(ex + er, side);
    const row1 = gridIndex(ey + er, side);
    for (let row = gridIndex(ey - er, side); row <= row1; row++) {
      const end = starts[row * side + column1 + 1]!;
      for (let k = starts[row * side + column0]!; k < end; k++) {
        const prey = items[k]!;
        const dx = x[prey]! - ex;
        const dy = y[prey]! - ey;
        const depth = er - radius[prey]! * preyDepth;
        // Distance first, because it rules out nearly everything: a body this deep inside was eaten before.
        if (dx * dx + dy * dy >= depth * depth || massMilli[prey]! > edibleBelow) continue;
        const preyKind = kind[prey];
        if (preyKind === BODY.cell) {
          const preyOwner = owner[prey]!;
          if (!eatsPlayers || preyOwner === eaterOwner || isInvulnerable(players, preyOwner, clock.tick))
            continue;
        } else if (preyKind === BODY.virus && eaterKind === BODY.virus) continue;
        const rival = eaterOf[prey]!;
        if (rival === NOBODY || isLarger(massMilli, eater, rival)) eaterOf[prey] = eater;
        isAnyoneEaten = true;
      }
    }
  }
  return isAnyoneEaten;
}

function isLarger(massMilli: Int32Array, a: number, b: number): boolean {
  return massMilli[a]! > massMilli[b]! || (massMilli[a] === massMilli[b] && a < b);
}

function swallow(world: World, eater: number, prey: number): void {
  const { bodies } = world;
  if (bodies.kind[eater] === BODY.virus) {
    feedVirus(world, eater, prey);
    return;
  }
  if (bodies.kind[prey] === BODY.cell) {
    swallowCell(world, eater, prey);
    return;
  }
  const gainedMilli = bodies.massMilli[prey]!;
  const isVirus = bodies.kind[prey] === BODY.virus;
  removeBody(bodies, prey);
  changeCellMass(world, eater, gainedMilli);
  if (isVirus) burst(world, eater);
}

function swallowCell(world: World, eater: number, prey: number): void {
  const { bodies, players, events } = world;
  const killer = bodies.owner[eater]!;
  const victim = bodies.owner[prey]!;
  const massMilli = bodies.massMilli[prey]!;
  const bountyMoved = moveBounty(world, victim, killer, massMilli, players.massMilli[victim]!);
  const killerId = playerId(players, killer);
  const victimId = playerId(players, victim);
  removeCell(world, prey);
  changeCellMass(world, eater, massMilli);
  events.push({ type: 'cellEaten', eater: killerId, prey: victimId, massMilli, bountyMoved });
  if (players.cellCount[victim] === 0) {
    removePlayer(world, victim);
    events.push({ type: 'killed', victim: victimId, killer: killerId, bountyMoved, massMilli });
  }
}

import { changeCellMass, removeCell } from '../cells.ts';
import type { World } from '../world.ts';

/**
 * What a player's own cells do to each other: two that are ready merge, others push each other apart, except
 * just after a launch, while the new cell flies out of the old one.
 */
export function settleSiblings(world: World): void {
  const { players } = world;
  for (let player = 0; player < players.top; player++) {
    if (players.isAlive[player] && players.cellCount[player]! > 1) settlePlayer(world, player);
  }
}

function settlePlayer(world: World, player: number): void {
  const { players, bodies, rules, stepRules } = world;
  const { x, y, radius, massMilli, mergeTick, bornTick } = bodies;
  const { cells, cellCount } = players;
  const tick = world.clock.tick;
  const flyingSince = tick - stepRules.noPushTicks;
  const first = player * rules.maxCellsPerPlayer;

  let end = first + cellCount[player]!;
  for (let i = first; i < end - 1; i++) {
    const a = cells[i]!;
    let ax = x[a]!;
    let ay = y[a]!;
    let ar = radius[a]!;
    for (let j = i + 1; j < end; j++) {
      const b = cells[j]!;
      const dx = x[b]! - ax;
      const dy = y[b]! - ay;
      const touching = ar + radius[b]!;
      const squared = dx * dx + dy * dy;
      if (squared >= touching * touching) continue;

      if (tick >= mergeTick[a]! && tick >= mergeTick[b]!) {
        const isALarger = massMilli[a]! > massMilli[b]! || (massMilli[a] === massMilli[b] && a < b);
        const large = isALarger ? a : b;
        const small = isALarger ? b : a;
        const depth = radius[large]! - radius[small]! * rules.eating.preyDepth;
        if (squared >= depth * depth) continue;
        const gained = massMilli[small]!;
        removeCell(world, small);
        changeCellMass(world, large, gained);
        end--;
        ar = radius[a]!;
        // The last cell of the list took the place of the removed one: look at that place again.
        if (small === b) {
          j--;
          continue;
        }
        i--;
        break;
      }

      if (bornTick[a]! > flyingSince || bornTick[b]! > flyingSince) continue;
      const distance = Math.sqrt(squared);
      const isApart = distance > 1e-6;
      const ux = isApart ? dx / distance : 1;
      const uy = isApart ? dy / distance : 0;
      const overlap = touching - distance;
      const shareOfA = massMilli[b]! / (massMilli[a]! + massMilli[b]!);
      ax -= ux * overlap * shareOfA;
      ay -= uy * overlap * shareOfA;
      x[a] = ax;
      y[a] = ay;
      x[b]! += ux * overlap * (1 - shareOfA);
      y[b]! += uy * overlap * (1 - shareOfA);
    }
  }
}

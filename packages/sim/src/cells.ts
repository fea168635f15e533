import { addBody, BODY, removeBody, setMass } from './bodies.ts';
import type { World } from './world.ts';

/*
 * Cells are bodies that belong to a player. These functions keep a player's cell list and total mass in sync
 * with the bodies; nothing else adds or removes a cell or changes its mass.
 */

export function addCell(world: World, player: number, x: number, y: number, massMilli: number): number {
  const { players, bodies, rules } = world;
  const cell = addBody(bodies, rules, BODY.cell, player, x, y, massMilli, world.clock.tick);
  players.cells[player * rules.maxCellsPerPlayer + players.cellCount[player]!] = cell;
  players.cellCount[player]!++;
  players.massMilli[player]! += massMilli;
  return cell;
}

export function removeCell(world: World, cell: number): void {
  const { players, bodies, rules } = world;
  const player = bodies.owner[cell]!;
  const first = player * rules.maxCellsPerPlayer;
  const last = first + players.cellCount[player]! - 1;
  const at = players.cells.indexOf(cell, first);
  players.cells[at] = players.cells[last]!;
  players.cellCount[player]!--;
  players.massMilli[player]! -= bodies.massMilli[cell]!;
  removeBody(bodies, cell);
}

export function changeCellMass(world: World, cell: number, deltaMilli: number): void {
  const { players, bodies, rules } = world;
  setMass(bodies, rules.size, cell, bodies.massMilli[cell]! + deltaMilli);
  players.massMilli[bodies.owner[cell]!]! += deltaMilli;
}

/** Moves part of a cell's mass into a new sibling at the same position; the caller launches it. */
export function divideCell(world: World, cell: number, siblingMassMilli: number): number {
  const { bodies } = world;
  changeCellMass(world, cell, -siblingMassMilli);
  return addCell(world, bodies.owner[cell]!, bodies.x[cell]!, bodies.y[cell]!, siblingMassMilli);
}

/** Removes a player and its remaining cells. The bounty must have been moved elsewhere before. */
export function removePlayer(world: World, player: number): void {
  const { players, rules } = world;
  if (players.bounty[player] !== 0n) throw new Error('A player left the world with a bounty');
  while (players.cellCount[player]! > 0) removeCell(world, players.cells[player * rules.maxCellsPerPlayer]!);
  players.isAlive[player] = 0;
  players.livingCount--;
  if (players.isBot[player]) players.botCount--;
}

/** The cell that counts as the player's position: the largest, the lowest slot among equals. */
export function primaryCell(world: World, player: number): number {
  const { players, bodies, rules } = world;
  const first = player * rules.maxCellsPerPlayer;
  let best = players.cells[first]!;
  for (let i = first + 1; i < first + players.cellCount[player]!; i++) {
    const cell = players.cells[i]!;
    const difference = bodies.massMilli[cell]! - bodies.massMilli[best]!;
    if (difference > 0 || (difference === 0 && cell < best)) best = cell;
  }
  return best;
}

/** Recomputes the centre of each player: the mean of its cells, weighted by mass. */
export function updateCentres(world: World): void {
  const { players, bodies, rules } = world;
  for (let player = 0; player < players.top; player++) {
    const count = players.cellCount[player]!;
    if (!players.isAlive[player] || count === 0) continue;
    let sumX = 0;
    let sumY = 0;
    let sumMass = 0;
    const first = player * rules.maxCellsPerPlayer;
    for (let i = first; i < first + count; i++) {
      const cell = players.cells[i]!;
      const mass = bodies.massMilli[cell]!;
      sumX += bodies.x[cell]! * mass;
      sumY += bodies.y[cell]! * mass;
      sumMass += mass;
    }
    players.centreX[player] = sumX / sumMass;
    players.centreY[player] = sumY / sumMass;
  }
}

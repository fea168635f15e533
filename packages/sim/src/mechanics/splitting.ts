import { launch } from '../bodies.ts';
import { changeCellMass, divideCell } from '../cells.ts';
import { randomDirection } from '../random.ts';
import { mergeDelayTicks } from '../rules.ts';
import type { World } from '../world.ts';

const bySize = new Int32Array(256);

/** Carries out one queued split per player: each cell that is big enough halves, the largest first. */
export function splitQueued(world: World): void {
  const { players } = world;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player] || players.queuedSplits[player] === 0) continue;
    players.queuedSplits[player]!--;
    splitPlayer(world, player);
  }
}

/** Cells over the mass limit halve by themselves; a player with all cells in use loses the surplus. */
export function splitOvergrown(world: World): void {
  const { players, rules, stepRules } = world;
  for (let player = 0; player < players.top; player++) {
    // A player below the limit in total cannot have a cell above it.
    if (!players.isAlive[player] || players.massMilli[player]! <= stepRules.maxCellMassMilli) continue;
    const first = player * rules.maxCellsPerPlayer;
    for (let i = first; i < first + players.cellCount[player]!; i++) shrinkToLimit(world, players.cells[i]!);
  }
}

/** After several merges in one step a cell may be far above the limit: it halves until it is below. */
function shrinkToLimit(world: World, cell: number): void {
  const { players, bodies, rules, stepRules } = world;
  const player = bodies.owner[cell]!;
  while (bodies.massMilli[cell]! > stepRules.maxCellMassMilli) {
    if (players.cellCount[player]! === rules.maxCellsPerPlayer) {
      changeCellMass(world, cell, stepRules.maxCellMassMilli - bodies.massMilli[cell]!);
      return;
    }
    const direction = randomDirection(world.streams.scatter);
    halve(world, cell, direction[0]!, direction[1]!, rules.cells.autoSplitSpeed);
  }
}

function splitPlayer(world: World, player: number): void {
  const { players, bodies, rules, stepRules } = world;
  const count = sortCellsBySize(world, player);
  const targetX = players.centreX[player]! + players.offsetX[player]!;
  const targetY = players.centreY[player]! + players.offsetY[player]!;
  for (let i = 0; i < count && players.cellCount[player]! < rules.maxCellsPerPlayer; i++) {
    const cell = bySize[i]!;
    if (bodies.massMilli[cell]! < stepRules.splitMinMassMilli) break;
    const dx = targetX - bodies.x[cell]!;
    const dy = targetY - bodies.y[cell]!;
    const distance = Math.sqrt(dx * dx + dy * dy);
    const isAimed = distance > 1e-6;
    halve(world, cell, isAimed ? dx / distance : 1, isAimed ? dy / distance : 0, rules.splitting.launchSpeed);
  }
}

function halve(world: World, cell: number, directionX: number, directionY: number, speed: number): void {
  const { bodies, rules, clock } = world;
  const sibling = divideCell(world, cell, bodies.massMilli[cell]! >> 1);
  launch(bodies, sibling, directionX, directionY, speed);
  bodies.mergeTick[cell] = clock.tick + mergeDelayTicks(rules, bodies.massMilli[cell]!);
  bodies.mergeTick[sibling] = bodies.mergeTick[cell]!;
}

/** Fills `bySize` with the player's cells, largest first, equal ones by slot. Returns how many. */
function sortCellsBySize(world: World, player: number): number {
  const { players, bodies, rules } = world;
  const first = player * rules.maxCellsPerPlayer;
  const count = players.cellCount[player]!;
  for (let i = 0; i < count; i++) {
    const cell = players.cells[first + i]!;
    const mass = bodies.massMilli[cell]!;
    let at = i;
    for (; at > 0; at--) {
      const other = bySize[at - 1]!;
      const otherMass = bodies.massMilli[other]!;
      if (otherMass > mass || (otherMass === mass && other < cell)) break;
      bySize[at] = other;
    }
    bySize[at] = cell;
  }
  return count;
}

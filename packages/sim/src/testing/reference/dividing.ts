import { randomBetween, randomDirection } from '@engulf/sim/random';
import { mergeDelayTicks } from '@engulf/sim/rules';
import {
  addBody,
  type Body,
  clampToBorder,
  divideCell,
  isLarger,
  launch,
  type Player,
  type ReferenceWorld,
  removeBody,
  setMass,
} from './world.ts';

/** Carries out one queued split per player: each cell that is big enough halves, the largest first. */
export function splitQueued(world: ReferenceWorld): void {
  for (const player of world.players) {
    if (!player.isAlive || player.queuedSplits === 0) continue;
    player.queuedSplits--;
    for (const cell of player.cells.toSorted((a, b) => (isLarger(a, b) ? -1 : 1))) {
      if (player.cells.length >= world.rules.maxCellsPerPlayer) break;
      if (cell.massMilli < world.stepRules.splitMinMassMilli) break;
      const aim = aimAtPointer(player, cell);
      halve(world, cell, aim.x, aim.y, world.rules.splitting.launchSpeed);
    }
  }
}

/** Cells over the mass limit halve by themselves; a player with all cells in use loses the surplus. */
export function splitOvergrown(world: ReferenceWorld): void {
  const { rules, stepRules } = world;
  for (const { cells } of world.players) {
    for (const cell of cells) {
      while (cell.massMilli > stepRules.maxCellMassMilli) {
        if (cells.length === rules.maxCellsPerPlayer) {
          setMass(cell, stepRules.maxCellMassMilli);
          break;
        }
        const [x, y] = randomDirection(world.streams.scatter);
        halve(world, cell, x!, y!, rules.cells.autoSplitSpeed);
      }
    }
  }
}

/** Carries out queued ejections after their cooldown: every cell that is big enough ejects one piece. */
export function ejectQueued(world: ReferenceWorld): void {
  for (const player of world.players) {
    if (!player.isAlive || player.queuedEjects === 0 || world.tick < player.ejectReadyTick) continue;
    player.queuedEjects--;
    player.ejectReadyTick = world.tick + world.stepRules.ejectCooldownTicks;
    for (const cell of player.cells) ejectFrom(world, player, cell);
  }
}

/** Removes ejected mass that nobody ate in time. Checked once a second. */
export function dissolveOldMass(world: ReferenceWorld): void {
  if (world.tick % world.rules.stepsPerSecond !== 0) return;
  const bornBefore = world.tick - world.stepRules.ejectedLifetimeTicks;
  for (const body of world.bodies) {
    if (body?.kind === 'ejected' && body.bornTick <= bornBefore) removeBody(world, body);
  }
}

function halve(world: ReferenceWorld, cell: Body, x: number, y: number, speed: number): void {
  const sibling = divideCell(world, cell, cell.massMilli >> 1);
  launch(sibling, x, y, speed);
  cell.mergeTick = world.tick + mergeDelayTicks(world.rules, cell.massMilli);
  sibling.mergeTick = cell.mergeTick;
}

function ejectFrom(world: ReferenceWorld, player: Player, cell: Body): void {
  const { rules, stepRules } = world;
  if (cell.massMilli < stepRules.ejectMinMassMilli) return;
  if (world.ejectedCount >= rules.ejecting.maxEjected) return;
  const aim = aimAtPointer(player, cell);
  const stray = randomBetween(world.streams.scatter, -rules.ejecting.spread, rules.ejecting.spread);
  const length = Math.sqrt(1 + stray * stray);
  const ux = (aim.x - aim.y * stray) / length;
  const uy = (aim.y + aim.x * stray) / length;
  setMass(cell, cell.massMilli - stepRules.ejectCostMassMilli);
  const x = cell.x + ux * cell.radius;
  const y = cell.y + uy * cell.radius;
  const piece = addBody(world, 'ejected', player, x, y, stepRules.ejectYieldMassMilli);
  clampToBorder(piece, world);
  launch(piece, ux, uy, rules.ejecting.launchSpeed);
}

/** The direction from a cell to its player's pointer. */
function aimAtPointer(player: Player, cell: Body): { x: number; y: number } {
  const dx = player.centreX + player.offsetX - cell.x;
  const dy = player.centreY + player.offsetY - cell.y;
  const distance = Math.sqrt(dx * dx + dy * dy);
  return distance > 1e-6 ? { x: dx / distance, y: dy / distance } : { x: 1, y: 0 };
}

import { randomBetween, randomDirection } from '@engulf/sim/random';
import { mergeDelayTicks } from '@engulf/sim/rules';
import { massToRadius } from '@engulf/sim/size';
import {
  addBody,
  type Body,
  clampToBorder,
  divideCell,
  launch,
  playerId,
  type ReferenceWorld,
  removeBody,
} from './world.ts';

/** A cell that ate a virus bursts into as many pieces as its player has room for. */
export function burst(world: ReferenceWorld, cell: Body): void {
  const { rules, stepRules } = world;
  const owner = cell.owner!;
  const room = rules.maxCellsPerPlayer - owner.cells.length;
  const affordable = Math.floor(cell.massMilli / stepRules.minPieceMassMilli) - 1;
  const pieces = Math.min(room, affordable);
  if (pieces <= 0) return;
  const pieceMilli = Math.floor(cell.massMilli / (pieces + 1));
  for (let i = 0; i < pieces; i++) {
    const piece = divideCell(world, cell, pieceMilli);
    const [x, y] = randomDirection(world.streams.scatter);
    launch(piece, x!, y!, rules.viruses.burstSpeed);
    piece.mergeTick = world.tick + mergeDelayTicks(rules, pieceMilli);
  }
  cell.mergeTick = world.tick + mergeDelayTicks(rules, cell.massMilli);
  world.outcomes.push({ type: 'burst', player: playerId(owner), pieces: pieces + 1 });
}

/**
 * A virus eats a piece of ejected mass; after enough of them it shoots a smaller virus in the same direction.
 */
export function feedVirus(world: ReferenceWorld, virus: Body, piece: Body): void {
  const { rules, stepRules } = world;
  removeBody(world, piece);
  virus.meals++;
  if (virus.meals < rules.viruses.feedsToShoot) return;
  virus.meals = 0;
  if (world.virusCount >= rules.viruses.maxCount) return;
  const shot = addBody(world, 'virus', undefined, virus.x, virus.y, stepRules.virusShotMassMilli);
  const speed = Math.sqrt(piece.boostX * piece.boostX + piece.boostY * piece.boostY);
  if (speed > 0) {
    launch(shot, piece.boostX / speed, piece.boostY / speed, rules.viruses.shotSpeed);
  } else {
    const [x, y] = randomDirection(world.streams.scatter);
    launch(shot, x!, y!, rules.viruses.shotSpeed);
  }
  world.outcomes.push({ type: 'virusShot' });
}

/** Replaces eaten viruses one by one, away from cells that would burst at once. */
export function regrowViruses(world: ReferenceWorld): void {
  if (world.tick % world.stepRules.virusRespawnTicks !== 0) return;
  if (world.virusCount < virusesWanted(world)) placeVirus(world);
}

export function virusesWanted({ rules, tide }: ReferenceWorld): number {
  const share = tide.size / rules.worldSize;
  return Math.round(rules.viruses.count * (share * share));
}

export function placeVirus(world: ReferenceWorld): void {
  const { rules, stepRules, tide } = world;
  const random = world.streams.viruses;
  const size = Math.min(tide.size, tide.goal);
  const near = (rules.worldSize - size) / 2 + massToRadius(rules.size, rules.viruses.mass);
  for (let attempt = 0; attempt < 8; attempt++) {
    const x = randomBetween(random, near, rules.worldSize - near);
    const y = randomBetween(random, near, rules.worldSize - near);
    if (!isClear(world, x, y)) continue;
    clampToBorder(addBody(world, 'virus', undefined, x, y, stepRules.virusMassMilli), world);
    return;
  }
}

function isClear(world: ReferenceWorld, x: number, y: number): boolean {
  return !world.bodies.some((body) => {
    if (!body || body.kind === 'ejected') return false;
    const dx = body.x - x;
    const dy = body.y - y;
    const distance = body.radius + world.rules.viruses.clearance;
    return dx * dx + dy * dy < distance * distance;
  });
}

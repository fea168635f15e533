import { addBody, BODY, clampToBorder, launch, removeBody } from '../bodies.ts';
import { divideCell } from '../cells.ts';
import { playerId } from '../players.ts';
import { randomBetween, randomDirection } from '../random.ts';
import { mergeDelayTicks } from '../rules.ts';
import { massToRadius } from '../size.ts';
import { dryShare, lastingSize, shoreOf } from '../tide.ts';
import type { World } from '../world.ts';

/** A cell that ate a virus bursts into as many pieces as its player has room for. */
export function burst(world: World, cell: number): void {
  const { bodies, players, rules, stepRules, clock, events } = world;
  const player = bodies.owner[cell]!;
  const room = rules.maxCellsPerPlayer - players.cellCount[player]!;
  const affordable = Math.floor(bodies.massMilli[cell]! / stepRules.minPieceMassMilli) - 1;
  const pieces = Math.min(room, affordable);
  if (pieces <= 0) return;
  const pieceMilli = Math.floor(bodies.massMilli[cell]! / (pieces + 1));
  for (let i = 0; i < pieces; i++) {
    const piece = divideCell(world, cell, pieceMilli);
    const direction = randomDirection(world.streams.scatter);
    launch(bodies, piece, direction[0]!, direction[1]!, rules.viruses.burstSpeed);
    bodies.mergeTick[piece] = clock.tick + mergeDelayTicks(rules, pieceMilli);
  }
  bodies.mergeTick[cell] = clock.tick + mergeDelayTicks(rules, bodies.massMilli[cell]!);
  events.push({ type: 'burst', player: playerId(players, player), pieces: pieces + 1 });
}

/**
 * A virus eats a piece of ejected mass; after enough of them it shoots a smaller virus in the same direction.
 */
export function feedVirus(world: World, virus: number, piece: number): void {
  const { bodies, rules, stepRules, clock, events } = world;
  const vx = bodies.boostX[piece]!;
  const vy = bodies.boostY[piece]!;
  removeBody(bodies, piece);
  bodies.meals[virus]!++;
  if (bodies.meals[virus]! < rules.viruses.feedsToShoot) return;
  bodies.meals[virus] = 0;
  if (bodies.virusCount >= rules.viruses.maxCount) return;
  const shot = addBody(
    bodies,
    rules,
    BODY.virus,
    -1,
    bodies.x[virus]!,
    bodies.y[virus]!,
    stepRules.virusShotMassMilli,
    clock.tick,
  );
  const speed = Math.sqrt(vx * vx + vy * vy);
  const direction = speed > 0 ? undefined : randomDirection(world.streams.scatter);
  launch(bodies, shot, direction?.[0] ?? vx / speed, direction?.[1] ?? vy / speed, rules.viruses.shotSpeed);
  events.push({ type: 'virusShot' });
}

/** Replaces eaten viruses one by one, away from cells that would burst at once. */
export function regrowViruses(world: World): void {
  const { bodies, stepRules, clock } = world;
  if (clock.tick % stepRules.virusRespawnTicks !== 0 || bodies.virusCount >= virusesWanted(world)) return;
  placeVirus(world);
}

/** As many to the area as in the whole world. */
export function virusesWanted({ rules, tide }: World): number {
  return Math.round(rules.viruses.count * dryShare(rules, tide));
}

export function placeVirus(world: World): void {
  const { bodies, rules, stepRules, tide, clock } = world;
  const random = world.streams.viruses;
  const near = shoreOf(rules, lastingSize(tide)) + massToRadius(rules.size, rules.viruses.mass);
  const far = rules.worldSize - near;
  for (let attempt = 0; attempt < 8; attempt++) {
    const x = randomBetween(random, near, far);
    const y = randomBetween(random, near, far);
    if (!isClear(world, x, y)) continue;
    const virus = addBody(bodies, rules, BODY.virus, -1, x, y, stepRules.virusMassMilli, clock.tick);
    clampToBorder(bodies, virus, rules, tide.size);
    return;
  }
}

function isClear(world: World, x: number, y: number): boolean {
  const { bodies, rules } = world;
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] !== BODY.cell && bodies.kind[body] !== BODY.virus) continue;
    const dx = bodies.x[body]! - x;
    const dy = bodies.y[body]! - y;
    const distance = bodies.radius[body]! + rules.viruses.clearance;
    if (dx * dx + dy * dy < distance * distance) return false;
  }
  return true;
}

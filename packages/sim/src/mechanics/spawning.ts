import { BODY } from '../bodies.ts';
import { addCell } from '../cells.ts';
import { playerId } from '../players.ts';
import { randomBetween } from '../random.ts';
import { lastingSize, shoreOf } from '../tide.ts';
import type { World } from '../world.ts';
import { forgetNewcomer } from './newcomers.ts';

const spot = new Float64Array(2);

/**
 * Gives a player its first cell and a time of invulnerability, far from cells that could eat it and from portals, which
 * would cash it out before it has played.
 */
export function spawnPlayer(world: World, player: number): void {
  chooseSpot(world);
  spawnAt(world, player, spot[0]!, spot[1]!, world.stepRules.spawnMassMilli);
}

export function spawnAt(world: World, player: number, x: number, y: number, massMilli: number): void {
  const { players, events, stepRules, clock } = world;
  addCell(world, player, x, y, massMilli);
  players.centreX[player] = x;
  players.centreY[player] = y;
  players.invulnerableUntilTick[player] = clock.tick + stepRules.invulnerableTicks;
  forgetNewcomer(world, player);
  events.push({
    type: 'spawned',
    player: playerId(players, player),
    isBot: players.isBot[player] === 1,
    stake: players.stake[player]!,
  });
}

/** Tries random points and keeps the one farthest from danger, or the first safe one. */
function chooseSpot(world: World): void {
  const { rules, tide } = world;
  const random = world.streams.spawns;
  const size = lastingSize(tide);
  const near = shoreOf(rules, size) + size * 0.05;
  const far = rules.worldSize - near;
  let safest = -Infinity;
  for (let i = 0; i < rules.spawn.candidatePoints && safest < rules.spawn.safeDistance; i++) {
    const x = randomBetween(random, near, far);
    const y = randomBetween(random, near, far);
    const clearance = Math.min(distanceToEater(world, x, y), distanceToPortal(world, x, y));
    if (clearance <= safest) continue;
    safest = clearance;
    spot[0] = x;
    spot[1] = y;
  }
}

function distanceToEater(world: World, x: number, y: number): number {
  const { bodies, rules, stepRules } = world;
  const dangerousMilli = stepRules.spawnMassMilli * rules.eating.massRatio;
  let nearest = Infinity;
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] !== BODY.cell || bodies.massMilli[body]! < dangerousMilli) continue;
    const dx = bodies.x[body]! - x;
    const dy = bodies.y[body]! - y;
    nearest = Math.min(
      nearest,
      Math.sqrt(dx * dx + dy * dy) - bodies.radius[body]! * rules.newcomers.spawnRadii,
    );
  }
  return nearest;
}

function distanceToPortal({ portals, rules }: World, x: number, y: number): number {
  let nearest = Infinity;
  for (let portal = 0; portal < portals.count; portal++) {
    const dx = portals.x[portal]! - x;
    const dy = portals.y[portal]! - y;
    nearest = Math.min(nearest, Math.sqrt(dx * dx + dy * dy) - rules.portals.radius);
  }
  return nearest;
}

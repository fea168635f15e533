import { BODY, type Bodies } from '../bodies.ts';
import { MILLI } from '../rules.ts';
import { massToRadius } from '../size.ts';
import { shoreOf } from '../tide.ts';
import type { World } from '../world.ts';

/** Never reused, unlike the slot. */
export function bodyId({ generation }: Bodies, slot: number): number {
  return generation[slot]! * 65_536 + slot;
}

/** Σ bounties + spill + paid out − paid in. Never changes over the life of a world. */
export function moneyBalance(world: World): bigint {
  const { players, money } = world;
  let held = money.spill + money.paidOut - money.paidIn;
  for (let player = 0; player < players.top; player++) {
    if (players.isAlive[player]) held += players.bounty[player]!;
  }
  return held;
}

export function livingMassMilli(world: World): number {
  const { bodies } = world;
  let sum = 0;
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] !== BODY.none) sum += bodies.massMilli[body]!;
  }
  return sum;
}

/** Checks the structural invariants of a world and returns the first one that is broken. */
export function findBrokenInvariant(world: World): string | undefined {
  const { bodies, players, rules, food } = world;
  const seen = new Set<number>();
  let ejected = 0;
  let viruses = 0;
  for (let body = 0; body < bodies.top; body++) {
    const kind = bodies.kind[body];
    if (kind === BODY.none) continue;
    if (kind === BODY.ejected) ejected++;
    if (kind === BODY.virus) viruses++;
    const x = bodies.x[body]!;
    const y = bodies.y[body]!;
    const near = shoreOf(rules, world.tide.size);
    const far = rules.worldSize - near;
    if (!(x >= near && x <= far && y >= near && y <= far)) return `body ${body} is at ${x},${y}`;
    if (!(bodies.massMilli[body]! > 0)) return `body ${body} has mass ${bodies.massMilli[body]}`;
    if (!Number.isFinite(bodies.boostX[body]!) || !Number.isFinite(bodies.boostY[body]!)) {
      return `body ${body} has a boost that is not finite`;
    }
    const radius = massToRadius(rules.size, bodies.massMilli[body]! / MILLI);
    if (bodies.radius[body] !== radius) return `body ${body} has a radius that does not match its mass`;
  }
  if (ejected !== bodies.ejectedCount)
    return `ejected mass is miscounted: ${bodies.ejectedCount}, not ${ejected}`;
  if (viruses !== bodies.virusCount) return `viruses are miscounted: ${bodies.virusCount}, not ${viruses}`;

  let living = 0;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player]) continue;
    living++;
    const count = players.cellCount[player]!;
    if (count < 1 || count > rules.maxCellsPerPlayer) return `player ${player} has ${count} cells`;
    let mass = 0;
    for (let i = 0; i < count; i++) {
      const cell = players.cells[player * rules.maxCellsPerPlayer + i]!;
      if (seen.has(cell)) return `cell ${cell} is listed twice`;
      seen.add(cell);
      if (bodies.kind[cell] !== BODY.cell || bodies.owner[cell] !== player)
        return `cell ${cell} is not ${player}'s`;
      mass += bodies.massMilli[cell]!;
    }
    if (mass !== players.massMilli[player])
      return `player ${player} weighs ${mass}, not ${players.massMilli[player]}`;
  }
  if (world.clock.isEnded && living > 0) return `${living} players live in an ended world`;
  if (living !== players.livingCount)
    return `living players are miscounted: ${players.livingCount}, not ${living}`;
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] === BODY.cell && !seen.has(body)) return `cell ${body} belongs to nobody`;
  }
  const pieces = food.mass.reduce((sum, mass) => sum + (mass > 0 ? 1 : 0), 0);
  if (pieces !== food.count) return `food is miscounted: ${food.count}, not ${pieces}`;
  return undefined;
}

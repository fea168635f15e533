import { BODY, clampToBorder } from '../bodies.ts';
import { fadeBoost, steeringReach, steeringShare } from '../movement.ts';
import { CONNECTED } from '../players.ts';
import type { World } from '../world.ts';

/** Moves every cell towards its player's pointer. */
export function steerCells(world: World): void {
  const { players, bodies, rules, stepRules } = world;
  const { x, y, radius } = bodies;
  const { speedByRadius, stepSeconds } = stepRules;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player] || players.departsAtTick[player] !== CONNECTED) continue;
    const targetX = players.centreX[player]! + players.offsetX[player]!;
    const targetY = players.centreY[player]! + players.offsetY[player]!;
    const first = player * rules.maxCellsPerPlayer;
    const end = first + players.cellCount[player]!;
    for (let i = first; i < end; i++) {
      const cell = players.cells[i]!;
      const dx = targetX - x[cell]!;
      const dy = targetY - y[cell]!;
      const reach = steeringReach(speedByRadius, stepSeconds, radius[cell]!);
      const share = steeringShare(reach, radius[cell]!, dx, dy);
      x[cell]! += dx * share;
      y[cell]! += dy * share;
    }
  }
}

/** Moves launched bodies on and lets their launch fade. */
export function driftBodies(world: World): void {
  const { bodies, rules, stepRules, tide } = world;
  const { kind, x, y, boostX, boostY, top } = bodies;
  const { boostKeptPerStep, boostStopSquared, stepSeconds } = stepRules;
  for (let body = 0; body < top; body++) {
    const vx = boostX[body]!;
    const vy = boostY[body]!;
    if ((vx === 0 && vy === 0) || kind[body] === BODY.none) continue;
    x[body]! += vx * stepSeconds;
    y[body]! += vy * stepSeconds;
    const speedSquared = vx * vx + vy * vy;
    boostX[body] = fadeBoost(vx, speedSquared, boostKeptPerStep, boostStopSquared);
    boostY[body] = fadeBoost(vy, speedSquared, boostKeptPerStep, boostStopSquared);
    if (kind[body] !== BODY.cell) clampToBorder(bodies, body, rules, tide.size);
  }
}

/** For cells only after steering and pushing, which also move them. */
export function keepCellsInside(world: World): void {
  const { bodies, rules, tide } = world;
  const { kind, top } = bodies;
  for (let body = 0; body < top; body++) {
    if (kind[body] === BODY.cell) clampToBorder(bodies, body, rules, tide.size);
  }
}

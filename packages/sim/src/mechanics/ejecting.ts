import { addBody, BODY, clampToBorder, launch, removeBody } from '../bodies.ts';
import { changeCellMass } from '../cells.ts';
import { randomBetween } from '../random.ts';
import type { World } from '../world.ts';

/** Carries out queued ejections after their cooldown: every cell that is big enough ejects one piece. */
export function ejectQueued(world: World): void {
  const { players, rules, stepRules, clock } = world;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player] || players.queuedEjects[player] === 0) continue;
    if (clock.tick < players.ejectReadyTick[player]!) continue;
    players.queuedEjects[player]!--;
    players.ejectReadyTick[player] = clock.tick + stepRules.ejectCooldownTicks;
    const first = player * rules.maxCellsPerPlayer;
    for (let i = first; i < first + players.cellCount[player]!; i++)
      ejectFrom(world, player, players.cells[i]!);
  }
}

/** Removes ejected mass that nobody ate in time. Checked once a second. */
export function dissolveOldMass(world: World): void {
  const { bodies, rules, stepRules, clock } = world;
  if (bodies.ejectedCount === 0 || clock.tick % rules.stepsPerSecond !== 0) return;
  const bornBefore = clock.tick - stepRules.ejectedLifetimeTicks;
  for (let body = 0; body < bodies.top; body++) {
    if (bodies.kind[body] === BODY.ejected && bodies.bornTick[body]! <= bornBefore) removeBody(bodies, body);
  }
}

function ejectFrom(world: World, player: number, cell: number): void {
  const { players, bodies, rules, stepRules, tide, clock } = world;
  if (bodies.massMilli[cell]! < stepRules.ejectMinMassMilli) return;
  if (bodies.ejectedCount >= rules.ejecting.maxEjected) return;

  const dx = players.centreX[player]! + players.offsetX[player]! - bodies.x[cell]!;
  const dy = players.centreY[player]! + players.offsetY[player]! - bodies.y[cell]!;
  const distance = Math.sqrt(dx * dx + dy * dy);
  const aimX = distance > 1e-6 ? dx / distance : 1;
  const aimY = distance > 1e-6 ? dy / distance : 0;
  const stray = randomBetween(world.streams.scatter, -rules.ejecting.spread, rules.ejecting.spread);
  const length = Math.sqrt(1 + stray * stray);
  const ux = (aimX - aimY * stray) / length;
  const uy = (aimY + aimX * stray) / length;

  changeCellMass(world, cell, -stepRules.ejectCostMassMilli);
  const edge = bodies.radius[cell]!;
  const piece = addBody(
    bodies,
    rules,
    BODY.ejected,
    player,
    bodies.x[cell]! + ux * edge,
    bodies.y[cell]! + uy * edge,
    stepRules.ejectYieldMassMilli,
    clock.tick,
  );
  clampToBorder(bodies, piece, rules, tide.size);
  launch(bodies, piece, ux, uy, rules.ejecting.launchSpeed);
}

import { primaryCell } from '../cells.ts';
import { PORTAL_PHASES, type PortalPhase, portalPhase } from '../portals.ts';
import { randomBelow, randomBetween } from '../random.ts';
import { lastingSize, shoreOf } from '../tide.ts';
import type { World } from '../world.ts';
import { takeWaveStream } from './beacons.ts';
import { cashOut } from './bounty.ts';

/** Moves the wave to its next phase when the current one is over. */
export function advancePortals(world: World): void {
  const { portals, stepRules, clock } = world;
  if (clock.tick < portals.phaseEndsAtTick) return;
  switch (portalPhase(portals)) {
    case 'idle':
      placePortals(world, { isClosing: false });
      enterPhase(world, 'warning', stepRules.portalWarningTicks);
      return;
    case 'warning':
      enterPhase(world, 'active', stepRules.portalActiveTicks);
      return;
    case 'active':
      enterPhase(world, 'disappearing', stepRules.portalDisappearingTicks);
      return;
    case 'disappearing':
      portals.count = 0;
      enterPhase(world, 'idle', stepRules.portalIdleTicks);
  }
}

/** A player whose largest cell has its centre in an active portal leaves with its bounty. */
export function exitThroughPortals(world: World): void {
  const { portals, players, bodies, rules } = world;
  if (portalPhase(portals) !== 'active') return;
  const squared = rules.portals.radius * rules.portals.radius;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player]) continue;
    const cell = primaryCell(world, player);
    for (let portal = 0; portal < portals.count; portal++) {
      const dx = bodies.x[cell]! - portals.x[portal]!;
      const dy = bodies.y[cell]! - portals.y[portal]!;
      if (dx * dx + dy * dy >= squared) continue;
      cashOut(world, player);
      break;
    }
  }
}

/** Opens portals, or keeps open ones, until the given tick. For the last minute of a lobby. */
export function holdPortalsOpen(world: World, untilTick: number): void {
  const { portals, clock } = world;
  if (portals.count === 0) placePortals(world, { isClosing: true });
  if (portalPhase(portals) === 'active') portals.phaseEndsAtTick = untilTick;
  else enterPhase(world, 'active', untilTick - clock.tick);
}

function enterPhase(world: World, phase: PortalPhase, ticks: number): void {
  const { portals, clock, events } = world;
  portals.phase = PORTAL_PHASES.indexOf(phase);
  portals.phaseEndsAtTick = clock.tick + ticks;
  events.push({ type: 'portalPhase', phase, count: portals.count });
}

function placePortals(world: World, when: { readonly isClosing: boolean }): void {
  const { portals, rules, tide } = world;
  const random = takeWaveStream(world, when);
  const { minCount, maxCount, borderDistance } = rules.portals;
  const size = lastingSize(tide);
  const scale = size / rules.worldSize;
  const near = shoreOf(rules, size) + Math.min(borderDistance * scale, size / 2);
  const far = rules.worldSize - near;
  const wanted = minCount + randomBelow(random, maxCount - minCount + 1);
  portals.wave++;
  portals.count = 0;
  // By the root of the width: in a small arena they would be side by side otherwise. The spacing shrinks with every
  // failed try, so that even the smallest world gets its portals.
  for (let spacing = rules.portals.spacing * Math.sqrt(scale); portals.count < wanted; spacing *= 0.95) {
    const x = randomBetween(random, near, far);
    const y = randomBetween(random, near, far);
    if (!isSpaced(world, x, y, spacing)) continue;
    portals.x[portals.count] = x;
    portals.y[portals.count] = y;
    portals.count++;
  }
}

function isSpaced(world: World, x: number, y: number, spacing: number): boolean {
  const { portals } = world;
  for (let portal = 0; portal < portals.count; portal++) {
    const dx = portals.x[portal]! - x;
    const dy = portals.y[portal]! - y;
    if (dx * dx + dy * dy < spacing * spacing) return false;
  }
  return true;
}

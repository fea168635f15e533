import { steeringReach } from '@engulf/sim/movement';
import {
  type Body,
  clampToBorder,
  isLarger,
  type Player,
  type ReferenceWorld,
  removeBody,
  setMass,
} from './world.ts';

/** Moves every cell towards its player's pointer; a cell slows down once the pointer is inside it. */
export function steerCells(world: ReferenceWorld): void {
  const { speedByRadius, stepSeconds } = world.stepRules;
  for (const player of world.players) {
    const targetX = player.centreX + player.offsetX;
    const targetY = player.centreY + player.offsetY;
    for (const cell of player.cells) {
      const dx = targetX - cell.x;
      const dy = targetY - cell.y;
      const distance = Math.sqrt(dx * dx + dy * dy);
      const reach = steeringReach(speedByRadius, stepSeconds, cell.radius);
      const scale = reach / Math.max(distance, cell.radius);
      cell.x += dx * scale;
      cell.y += dy * scale;
    }
  }
}

/** Moves launched bodies on and lets their launch fade. */
export function driftBodies(world: ReferenceWorld): void {
  const { boostKeptPerStep, stepSeconds } = world.stepRules;
  const stopBelow = world.rules.boost.stopBelowSpeed ** 2;
  for (const body of world.bodies) {
    if (!body || (body.boostX === 0 && body.boostY === 0)) continue;
    body.x += body.boostX * stepSeconds;
    body.y += body.boostY * stepSeconds;
    const isFading = body.boostX * body.boostX + body.boostY * body.boostY > stopBelow;
    body.boostX = isFading ? body.boostX * boostKeptPerStep : 0;
    body.boostY = isFading ? body.boostY * boostKeptPerStep : 0;
    if (body.kind !== 'cell') clampToBorder(body, world);
  }
}

/** A player's own cells merge once both are ready, otherwise they push apart unless one was just launched. */
export function settleSiblings(world: ReferenceWorld): void {
  for (const player of world.players) {
    if (player.cells.length > 1) settlePlayer(world, player);
  }
}

function settlePlayer(world: ReferenceWorld, { cells }: Player): void {
  const flyingSince = world.tick - world.stepRules.noPushTicks;
  for (let i = 0; i < cells.length - 1; i++) {
    for (let j = i + 1; j < cells.length; j++) {
      const a = cells[i]!;
      const b = cells[j]!;
      const dx = b.x - a.x;
      const dy = b.y - a.y;
      const touching = a.radius + b.radius;
      const squared = dx * dx + dy * dy;
      if (squared >= touching * touching) continue;
      if (world.tick >= a.mergeTick && world.tick >= b.mergeTick) {
        const large = isLarger(a, b) ? a : b;
        const small = large === a ? b : a;
        const depth = large.radius - small.radius * world.rules.eating.preyDepth;
        if (squared >= depth * depth) continue;
        removeBody(world, small);
        setMass(large, large.massMilli + small.massMilli);
        // The last cell of the list took the place of the one that is gone: look at that place again.
        if (small === b) {
          j--;
          continue;
        }
        i--;
        break;
      }
      if (a.bornTick <= flyingSince && b.bornTick <= flyingSince) pushApart(a, b, dx, dy, touching, squared);
    }
  }
}

function pushApart(a: Body, b: Body, dx: number, dy: number, touching: number, squared: number): void {
  const distance = Math.sqrt(squared);
  const isApart = distance > 1e-6;
  const ux = isApart ? dx / distance : 1;
  const uy = isApart ? dy / distance : 0;
  const overlap = touching - distance;
  const shareOfA = b.massMilli / (a.massMilli + b.massMilli);
  a.x -= ux * overlap * shareOfA;
  a.y -= uy * overlap * shareOfA;
  b.x += ux * overlap * (1 - shareOfA);
  b.y += uy * overlap * (1 - shareOfA);
}

/** Recomputes where each player is: the middle of its cells, weighted by mass. */
export function updateCentres(world: ReferenceWorld): void {
  for (const player of world.players) {
    if (player.cells.length === 0) continue;
    let sumX = 0;
    let sumY = 0;
    let sumMass = 0;
    for (const { x, y, massMilli } of player.cells) {
      sumX += x * massMilli;
      sumY += y * massMilli;
      sumMass += massMilli;
    }
    player.centreX = sumX / sumMass;
    player.centreY = sumY / sumMass;
  }
}

import { rebuildGrid } from '../grid.ts';
import { isInvulnerable } from '../players.ts';
import { portalPhase } from '../portals.ts';
import type { World } from '../world.ts';
import { lookAround, type Sight } from './sight.ts';

/** A bot flees when somebody who can eat it comes this near. */
const PANIC_GAP = 320;
/** Nearer to the border than this, a fleeing bot turns away from it. */
const BORDER_RESPECT = 300;

const heading = new Float64Array(2);

/** Bots take turns thinking, a few times a second each, and produce the same inputs as a person. */
export function steerBots(world: World): void {
  const { players, bodies, grid, stepRules, clock } = world;
  if (players.botCount === 0) return;
  rebuildGrid(grid, bodies);
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player] || !players.isBot[player]) continue;
    if ((clock.tick + player) % stepRules.botThinkTicks === 0) think(world, player);
  }
}

function think(world: World, player: number): void {
  const { players, bodies, rules } = world;
  const sight = lookAround(world, player);
  heading.fill(0);
  setHeading(players.offsetX[player]!, players.offsetY[player]!);
  if (sight.dangerGap < PANIC_GAP) {
    setHeading(sight.fleeX, sight.fleeY);
    leanFromBorder(world, sight);
  } else if (wantsToCashOut(world, player) && headForPortal(world, player)) {
    // the heading is set
  } else if (sight.prey >= 0 && isWorthChasing(world, player, sight)) {
    setHeading(bodies.x[sight.prey]! - bodies.x[sight.cell]!, bodies.y[sight.prey]! - bodies.y[sight.cell]!);
    if (canSplitKill(world, player, sight)) players.queuedSplits[player] = 1;
  } else if (sight.hasFood) {
    setHeading(sight.foodX - bodies.x[sight.cell]!, sight.foodY - bodies.y[sight.cell]!);
  } else {
    setHeading(
      rules.worldSize / 2 - players.centreX[player]!,
      rules.worldSize / 2 - players.centreY[player]!,
    );
  }
  setHeading(heading[0]! + sight.dodgeX * 2, heading[1]! + sight.dodgeY * 2);
  const reach = bodies.radius[sight.cell]! + 400;
  players.offsetX[player] = heading[0]! * reach;
  players.offsetY[player] = heading[1]! * reach;
}

function setHeading(x: number, y: number): void {
  const length = Math.sqrt(x * x + y * y);
  if (length < 1e-9) return;
  heading[0] = x / length;
  heading[1] = y / length;
}

/** Bends the flight away from the border: a bot in a corner gets eaten. */
function leanFromBorder(world: World, sight: Sight): void {
  const { bodies, rules } = world;
  const x = bodies.x[sight.cell]!;
  const y = bodies.y[sight.cell]!;
  const far = rules.worldSize - BORDER_RESPECT;
  const leanX = x < BORDER_RESPECT ? 1 : x > far ? -1 : 0;
  const leanY = y < BORDER_RESPECT ? 1 : y > far ? -1 : 0;
  setHeading(heading[0]! + leanX * 1.2, heading[1]! + leanY * 1.2);
}

function wantsToCashOut(world: World, player: number): boolean {
  const { players, portals, rules } = world;
  if (portals.count === 0) return false;
  const multiple = Number(players.bounty[player]!) / Number(players.stake[player]! || 1n);
  return multiple >= rules.bots.cashOutAtMultiple;
}

function headForPortal(world: World, player: number): boolean {
  const { players, portals } = world;
  if (portalPhase(portals) === 'disappearing') return false;
  let nearest = Infinity;
  for (let portal = 0; portal < portals.count; portal++) {
    const dx = portals.x[portal]! - players.centreX[player]!;
    const dy = portals.y[portal]! - players.centreY[player]!;
    const squared = dx * dx + dy * dy;
    if (squared >= nearest) continue;
    nearest = squared;
    setHeading(dx, dy);
  }
  return nearest < Infinity;
}

/** Small prey is not worth it, and an invulnerable bot cannot eat anyone yet. */
function isWorthChasing(world: World, player: number, sight: Sight): boolean {
  const { bodies, players, clock } = world;
  if (isInvulnerable(players, player, clock.tick)) return false;
  return bodies.massMilli[sight.prey]! * 12 > bodies.massMilli[sight.cell]!;
}

function canSplitKill(world: World, player: number, sight: Sight): boolean {
  const { bodies, players, rules } = world;
  if (players.cellCount[player]! > 2 || sight.dangerGap < 2 * PANIC_GAP) return false;
  const half = bodies.massMilli[sight.cell]! / 2;
  if (half < bodies.massMilli[sight.prey]! * rules.eating.massRatio * 1.1) return false;
  const dx = bodies.x[sight.prey]! - bodies.x[sight.cell]!;
  const dy = bodies.y[sight.prey]! - bodies.y[sight.cell]!;
  const flight = (rules.splitting.launchSpeed / rules.boost.decayPerSecond) * 0.8;
  return dx * dx + dy * dy < flight * flight;
}

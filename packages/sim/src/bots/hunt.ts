import { isInvulnerable } from '../players.ts';
import type { World } from '../world.ts';
import { setHeading } from './heading.ts';
import { type Sight, wouldBurst } from './sight.ts';
import type { Temperament } from './temperament.ts';

/** A piece of ejected mass reaches a virus this far from the bot's edge. */
const FEEDING_GAP = 350;
/** How well bot, virus and victim have to be in line: the cosine of the angle. */
const IN_LINE = 0.97;

/** Chases the best prey, and splits if that reaches it. */
export function headForPrey(world: World, player: number, sight: Sight, temperament: Temperament): boolean {
  const { bodies, players, clock } = world;
  if (sight.prey < 0 || isInvulnerable(players, player, clock.tick)) return false;
  if (bodies.massMilli[sight.prey]! < bodies.massMilli[sight.cell]! * temperament.preyShare) return false;
  setHeading(bodies.x[sight.prey]! - bodies.x[sight.cell]!, bodies.y[sight.prey]! - bodies.y[sight.cell]!);
  const mayDivide = players.cellCount[player]! < temperament.splitsBelowCells;
  const isSafe = sight.dangerGap >= 2 * temperament.panicGap;
  if (mayDivide && isSafe && splitReaches(world, sight)) players.queuedSplits[player] = 1;
  return true;
}

function splitReaches({ bodies, rules }: World, { cell, prey }: Sight): boolean {
  const half = bodies.massMilli[cell]! / 2;
  if (half < bodies.massMilli[prey]! * rules.eating.massRatio * 1.1) return false;
  const dx = bodies.x[prey]! - bodies.x[cell]!;
  const dy = bodies.y[prey]! - bodies.y[cell]!;
  const flight = (rules.splitting.launchSpeed / rules.boost.decayPerSecond) * 0.8;
  return dx * dx + dy * dy < flight * flight;
}

/** Feeds a virus that stands between the bot and somebody larger, to shoot it at them. */
export function shootVirus(world: World, player: number, sight: Sight): boolean {
  const { bodies, players, rules } = world;
  const { cell, threat, virus } = sight;
  if (threat < 0 || virus < 0 || players.cellCount[player] !== 1) return false;
  const cost = rules.ejecting.costMass * rules.viruses.feedsToShoot * 1000;
  if (bodies.massMilli[cell]! < 2 * cost || !wouldBurst(world, threat, virus)) return false;
  const toVirusX = bodies.x[virus]! - bodies.x[cell]!;
  const toVirusY = bodies.y[virus]! - bodies.y[cell]!;
  const onX = bodies.x[threat]! - bodies.x[virus]!;
  const onY = bodies.y[threat]! - bodies.y[virus]!;
  const on = Math.sqrt(onX * onX + onY * onY) + 1;
  if (sight.virusDistance - bodies.radius[cell]! > FEEDING_GAP) return false;
  if (toVirusX * onX + toVirusY * onY < IN_LINE * sight.virusDistance * on) return false;
  setHeading(toVirusX, toVirusY);
  players.queuedEjects[player] = 1;
  return true;
}

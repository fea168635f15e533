import { randomBetween } from '../random.ts';
import { lastingSize, shoreOf } from '../tide.ts';
import type { World } from '../world.ts';
import { heading, setHeading } from './heading.ts';
import { type Sight, wouldBurst } from './sight.ts';
import type { Temperament } from './temperament.ts';

/** Nearer to the border than this, a fleeing bot turns away from it. */
const BORDER_RESPECT = 300;
/** How far a small bot runs for a virus to hide behind. */
const SHELTER_DISTANCE = 700;

/** Nearer than this to the place behind a virus, a bot stays there. */
const AT_SHELTER = 150;
/** A bot that fled is calm again at this multiple of the gap at which it panics. */
const CALM_AGAIN = 1.6;

/** A bot notices danger only after a while, so a quick player can surprise it. */
export function noticesDanger(world: World, player: number, sight: Sight, temperament: Temperament): boolean {
  const { players, clock, rules, streams } = world;
  const nerve = players.alarmTick[player] === 0 ? 1 : CALM_AGAIN;
  if (sight.dangerGap >= temperament.panicGap * nerve) {
    players.alarmTick[player] = 0;
    return false;
  }
  if (players.alarmTick[player] === 0) {
    const [least, most] = temperament.reactionSeconds;
    const seconds = randomBetween(streams.bots, least, most);
    players.alarmTick[player] = clock.tick + Math.round(seconds * rules.stepsPerSecond);
  }
  return clock.tick >= players.alarmTick[player]!;
}

/** Runs behind a virus that would burst the hunter, else away from everybody dangerous. */
export function headAway(world: World, sight: Sight): void {
  if (headForShelter(world, sight)) return;
  setHeading(sight.fleeX, sight.fleeY);
  leanFromBorder(world, sight);
}

function headForShelter(world: World, { cell, threat, virus, virusDistance }: Sight): boolean {
  const { x, y, radius } = world.bodies;
  if (virus < 0 || virusDistance > SHELTER_DISTANCE) return false;
  if (wouldBurst(world, cell, virus) || !wouldBurst(world, threat, virus)) return false;
  const behindX = x[virus]! - x[threat]!;
  const behindY = y[virus]! - y[threat]!;
  const length = Math.sqrt(behindX * behindX + behindY * behindY) + 1;
  const wayX = x[virus]! + (behindX / length) * radius[virus]! - x[cell]!;
  const wayY = y[virus]! + (behindY / length) * radius[virus]! - y[cell]!;
  const towardsThreat = wayX * (x[threat]! - x[cell]!) + wayY * (y[threat]! - y[cell]!);
  const isThere = wayX * wayX + wayY * wayY < AT_SHELTER * AT_SHELTER;
  if (towardsThreat > 0 && !isThere) return false;
  setHeading(wayX, wayY);
  return true;
}

/** Bends the flight away from the border: a bot in a corner gets eaten. */
function leanFromBorder(world: World, sight: Sight): void {
  const { bodies, rules, tide } = world;
  const x = bodies.x[sight.cell]!;
  const y = bodies.y[sight.cell]!;
  const near = shoreOf(rules, lastingSize(tide)) + BORDER_RESPECT;
  const far = rules.worldSize - near;
  const leanX = x < near ? 1 : x > far ? -1 : 0;
  const leanY = y < near ? 1 : y > far ? -1 : 0;
  setHeading(heading[0]! + leanX * 1.2, heading[1]! + leanY * 1.2);
}

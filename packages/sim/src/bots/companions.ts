import { primaryCell } from '../cells.ts';
import { isSheltered } from '../mechanics/newcomers.ts';
import { spawnAt } from '../mechanics/spawning.ts';
import { randomBetween, randomDirection } from '../random.ts';
import { lastingSize, shoreOf } from '../tide.ts';
import type { World } from '../world.ts';
import { setHeading } from './heading.ts';

/** Where a companion appears: at the edge of what the newcomer sees. */
const APPEARS = { from: 550, to: 850 };
/** It plays with a newcomer that is nearer than this, and comes no nearer than `stays` by itself. */
const PLAYS_WITHIN = 1_100;
const STAYS = 160;

/** How many companions there should be beside the other bots. */
export function companionsWanted(world: World): number {
  const { players, clock, rules } = world;
  // A lobby without bots stays one.
  if (clock.botTarget === 0 || rules.newcomers.companions === 0) return 0;
  let wanted = 0;
  for (let player = 0; player < players.top; player++)
    if (players.isAlive[player] && isSheltered(world, player)) wanted += rules.newcomers.companions;
  return wanted;
}

/** The sheltered newcomer with the fewest companions around it, or -1 if all have enough. */
export function lonelyNewcomer(world: World): number {
  const { players, rules } = world;
  let fewest = rules.newcomers.companions;
  let loneliest = -1;
  for (let player = 0; player < players.top; player++) {
    if (!players.isAlive[player] || !isSheltered(world, player)) continue;
    const count = companionsOf(world, player);
    if (count >= fewest) continue;
    fewest = count;
    loneliest = player;
  }
  return loneliest;
}

/** Only those that the newcomer can eat count. */
function companionsOf(world: World, person: number): number {
  const { players, newcomers, rules } = world;
  let count = 0;
  for (let bot = 0; bot < players.top; bot++) {
    if (!players.isAlive[bot] || !newcomers.isCompanion[bot]) continue;
    const isNear = squaredDistance(world, bot, person) < PLAYS_WITHIN * PLAYS_WITHIN;
    const isSmall = players.massMilli[bot]! * rules.eating.massRatio <= players.massMilli[person]!;
    if (isNear && isSmall) count++;
  }
  return count;
}

export function spawnCompanion(world: World, bot: number, person: number): void {
  const { players, newcomers, bodies, rules, tide, streams, clock } = world;
  const direction = randomDirection(streams.spawns);
  const distance = randomBetween(streams.spawns, APPEARS.from, APPEARS.to);
  const near = shoreOf(rules, lastingSize(tide)) + 60;
  const far = rules.worldSize - near;
  // At the border it comes from the other side.
  const place = (at: number, by: number) => {
    const to = at + by > near && at + by < far ? at + by : at - by;
    return Math.min(far, Math.max(near, to));
  };
  const x = place(players.centreX[person]!, direction[0]! * distance);
  const y = place(players.centreY[person]!, direction[1]! * distance);
  const massMilli = bodies.massMilli[primaryCell(world, person)]! * rules.newcomers.companionShare;
  spawnAt(world, bot, x, y, Math.round(massMilli));
  newcomers.isCompanion[bot] = 1;
  players.invulnerableUntilTick[bot] = clock.tick;
}

/** Comes to the newcomer that it is there for. False for all other bots, and if there is none near. */
export function headForNewcomer(world: World, bot: number): boolean {
  const { players, newcomers } = world;
  if (!newcomers.isCompanion[bot]) return false;
  let nearest = PLAYS_WITHIN * PLAYS_WITHIN;
  let found = -1;
  for (let person = 0; person < players.top; person++) {
    if (!players.isAlive[person] || !isSheltered(world, person)) continue;
    const squared = squaredDistance(world, bot, person);
    if (squared >= nearest) continue;
    nearest = squared;
    found = person;
  }
  if (found < 0 || nearest < STAYS * STAYS) return false;
  setHeading(
    players.centreX[found]! - players.centreX[bot]!,
    players.centreY[found]! - players.centreY[bot]!,
  );
  return true;
}

/** Whether a person may see this bot. */
export function isNearPerson(world: World, bot: number): boolean {
  const { players } = world;
  for (let person = 0; person < players.top; person++) {
    if (!players.isAlive[person] || players.isBot[person]) continue;
    if (squaredDistance(world, bot, person) < PLAYS_WITHIN * PLAYS_WITHIN) return true;
  }
  return false;
}

function squaredDistance({ players }: World, a: number, b: number): number {
  const dx = players.centreX[a]! - players.centreX[b]!;
  const dy = players.centreY[a]! - players.centreY[b]!;
  return dx * dx + dy * dy;
}

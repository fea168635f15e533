import { portalPhase } from '@engulf/sim/portals';
import { type Random, randomBetween, randomDirection } from '@engulf/sim/random';
import { lastingSize, shoreOf } from '@engulf/sim/tide';
import type { World } from '@engulf/sim/world';
import { lookFrom, type Senses, viewOf } from './senses.ts';

/** How somebody plays, as numbers. They see what is on the screen, and react after `thinkTicks`. */
export type Way = {
  readonly name: string;
  readonly thinkTicks: number;
  /** Flees from whoever could eat it and is nearer than this; 0: sees no danger. */
  readonly fleesWithin: number;
  /** Hunts what it can eat and is nearer than this. */
  readonly huntsWithin: number;
  readonly splitsToKill: boolean;
  readonly eatsCrumbs: boolean;
  /** Heads for a portal that is announced or open from this multiple of the stake on. */
  readonly leavesAt: number;
  /** Waits at announced portals for those who want to leave, and leaves itself before they close. */
  readonly camps: boolean;
  /** Takes a portal only if it is on the screen. */
  readonly seesOnlyNearPortals: boolean;
};

const CAREFUL: Way = {
  name: 'careful',
  thinkTicks: 5,
  fleesWithin: 350,
  huntsWithin: 350,
  splitsToKill: false,
  eatsCrumbs: true,
  leavesAt: 1.5,
  camps: false,
  seesOnlyNearPortals: false,
};

export const WAYS = {
  /** A newcomer who wanders, and steps into a portal that comes into sight. */
  wanderer: {
    ...CAREFUL,
    name: 'wanderer',
    fleesWithin: 0,
    huntsWithin: 0,
    eatsCrumbs: false,
    leavesAt: 0,
    seesOnlyNearPortals: true,
  },
  /** A newcomer who eats the nearest crumb and sees no danger. */
  crumbs: {
    ...CAREFUL,
    name: 'crumbs',
    fleesWithin: 0,
    huntsWithin: 0,
    leavesAt: 0,
    seesOnlyNearPortals: true,
  },
  careful: CAREFUL,
  /** Keeps away from everybody and leaves through the first portal. */
  coward: { ...CAREFUL, name: 'coward', fleesWithin: 700, huntsWithin: 0, leavesAt: 0 },
  camper: { ...CAREFUL, name: 'camper', huntsWithin: 500, splitsToKill: true, leavesAt: 1.2, camps: true },
  hunter: { ...CAREFUL, name: 'hunter', fleesWithin: 220, huntsWithin: 900, splitsToKill: true, leavesAt: 2 },
  /** Two who play carefully, spare each other and stay together. */
  pair: { ...CAREFUL, name: 'pair' },
} as const satisfies { readonly [name: string]: Way };

export type Move = { readonly x: number; readonly y: number; readonly splits: boolean };

const CAMP_DISTANCE = 280;
const LAST_SECONDS = 6;
const POINTER_REACH = 500;
/** Friends that are farther apart than this come together. */
const TOGETHER = 1_500;

/** What a player of a slot does next. `friend` is the slot of one who is spared, or -1. */
export function chooseMove(world: World, player: number, way: Way, friend: number, random: Random): Move {
  const senses = lookFrom(world, player, (slot) => slot === friend);
  const portal = nearestPortal(world, senses);
  if (senses.dangerGap < way.fleesWithin) return flee(world, senses);
  if (portal && leaves(world, player, way, portal.distance)) return towards(senses, portal.x, portal.y);
  const { prey } = senses;
  if (prey && prey.gap < way.huntsWithin) {
    const splits = way.splitsToKill && splitReaches(world, player, senses, prey);
    return { ...towards(senses, prey.x, prey.y), splits };
  }
  if (way.camps && portal && portal.distance > CAMP_DISTANCE) return towards(senses, portal.x, portal.y);
  if (friend >= 0 && isFar(world, senses, friend)) {
    return towards(senses, world.players.centreX[friend]!, world.players.centreY[friend]!);
  }
  if (way.eatsCrumbs && senses.crumb) return towards(senses, senses.crumb.x, senses.crumb.y);
  return wander(world, player, senses, random);
}

function towards(senses: Senses, x: number, y: number): Move {
  const length = Math.hypot(x - senses.x, y - senses.y) || 1;
  const reach = POINTER_REACH / length;
  return { x: (x - senses.x) * reach, y: (y - senses.y) * reach, splits: false };
}

/** Away from danger, and along the border rather than into it. */
function flee(world: World, senses: Senses): Move {
  const near = shoreOf(world.rules, lastingSize(world.tide)) + senses.radius + 120;
  const far = world.rules.worldSize - near;
  const length = Math.hypot(senses.awayX, senses.awayY) || 1;
  const lean = (at: number) => (at < near ? 1 : at > far ? -1 : 0);
  const x = senses.awayX / length + lean(senses.x) * 1.1;
  const y = senses.awayY / length + lean(senses.y) * 1.1;
  return towards(senses, senses.x + x, senses.y + y);
}

function leaves(world: World, player: number, way: Way, distance: number): boolean {
  const { players, portals, rules, clock } = world;
  const phase = portalPhase(portals);
  if (phase === 'disappearing' || phase === 'idle') return false;
  if (way.seesOnlyNearPortals && (phase !== 'active' || distance > viewOf(world, player).halfHeight))
    return false;
  const multiple = Number(players.bounty[player]!) / Number(players.stake[player]! || 1n);
  if (multiple < way.leavesAt) return false;
  if (!way.camps) return true;
  const secondsLeft = (portals.phaseEndsAtTick - clock.tick) / rules.stepsPerSecond;
  return phase === 'active' && secondsLeft < LAST_SECONDS;
}

function nearestPortal(
  { portals }: World,
  { x, y }: Senses,
): { x: number; y: number; distance: number } | undefined {
  let nearest: { x: number; y: number; distance: number } | undefined;
  for (let portal = 0; portal < portals.count; portal++) {
    const at = { x: portals.x[portal]!, y: portals.y[portal]! };
    const distance = Math.hypot(at.x - x, at.y - y);
    if (distance < (nearest?.distance ?? Infinity)) nearest = { ...at, distance };
  }
  return nearest;
}

function splitReaches(
  { players, rules }: World,
  player: number,
  { massMilli, radius, dangerGap }: Senses,
  prey: NonNullable<Senses['prey']>,
): boolean {
  if (players.cellCount[player]! > 1 || dangerGap < 600) return false;
  if (massMilli / 2 < prey.massMilli * rules.eating.massRatio * 1.1) return false;
  const flight = (rules.splitting.launchSpeed / rules.boost.decayPerSecond) * 0.8;
  return prey.gap + radius < flight;
}

function isFar({ players }: World, { x, y }: Senses, friend: number): boolean {
  return Math.hypot(players.centreX[friend]! - x, players.centreY[friend]! - y) > TOGETHER;
}

/** Keeps its course for about two seconds, and turns back from the border. */
function wander(world: World, player: number, senses: Senses, random: Random): Move {
  const { players, rules, tide } = world;
  const near = shoreOf(rules, lastingSize(tide)) + 200;
  const far = rules.worldSize - near;
  const isOut = senses.x < near || senses.x > far || senses.y < near || senses.y > far;
  if (isOut) return towards(senses, rules.worldSize / 2, rules.worldSize / 2);
  const x = players.offsetX[player]!;
  const y = players.offsetY[player]!;
  if ((x !== 0 || y !== 0) && randomBetween(random, 0, 1) > 0.13) return { x, y, splits: false };
  const direction = randomDirection(random);
  return { x: direction[0]! * POINTER_REACH, y: direction[1]! * POINTER_REACH, splits: false };
}

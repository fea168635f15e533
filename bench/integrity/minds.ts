import { thinkAs } from '@engulf/sim/bots/brain';
import { TEMPERAMENTS } from '@engulf/sim/bots/temperament';
import { primaryCell } from '@engulf/sim/cells';
import { portalPhase } from '@engulf/sim/portals';
import type { Random } from '@engulf/sim/random';
import type { World } from '@engulf/sim/world';
import { viewOf } from '../balance/senses.ts';

export type Move = { x: number; y: number; splits: boolean; ejects: boolean };

export type Mood = { readonly temperament: keyof typeof TEMPERAMENTS; alarmTick: number };

/**
 * What a bot of the project would do in somebody's place, without touching the world. Friends are neither hunted nor feared.
 * The grid must be that of the bodies.
 */
export function honestMove(
  world: World,
  slot: number,
  mood: Mood,
  friends: readonly number[],
  random: Random,
): Move {
  const { players, clock } = world;
  const before = {
    x: players.offsetX[slot]!,
    y: players.offsetY[slot]!,
    splits: players.queuedSplits[slot]!,
    ejects: players.queuedEjects[slot]!,
    alarm: players.alarmTick[slot]!,
    invulnerable: friends.map((friend) => players.invulnerableUntilTick[friend]!),
  };
  players.queuedSplits[slot] = 0;
  players.queuedEjects[slot] = 0;
  players.alarmTick[slot] = mood.alarmTick;
  for (const friend of friends) players.invulnerableUntilTick[friend] = clock.tick + 1;
  thinkAs({ ...world, streams: { ...world.streams, bots: random } }, slot, TEMPERAMENTS[mood.temperament]);
  const move: Move = {
    x: players.offsetX[slot]!,
    y: players.offsetY[slot]!,
    splits: players.queuedSplits[slot]! > 0,
    ejects: players.queuedEjects[slot]! > 0,
  };
  mood.alarmTick = players.alarmTick[slot]!;
  players.offsetX[slot] = before.x;
  players.offsetY[slot] = before.y;
  players.queuedSplits[slot] = before.splits;
  players.queuedEjects[slot] = before.ejects;
  players.alarmTick[slot] = before.alarm;
  for (const [index, friend] of friends.entries())
    players.invulnerableUntilTick[friend] = before.invulnerable[index]!;
  return move;
}

/** Friends must not swallow each other by mistake. */
function isTooNear(world: World, slot: number, { other, distance }: Way): boolean {
  const radius = (player: number) => world.bodies.radius[primaryCell(world, player)]!;
  const [one, two] = canEat(world, other, slot) ? [other, slot] : [slot, other];
  return canEat(world, one, two) && distance - radius(one) < 70;
}

type Way = Move & { readonly other: number; readonly distance: number };

function towards(world: World, slot: number, other: number): Way {
  const { players } = world;
  const x = players.centreX[other]! - players.centreX[slot]!;
  const y = players.centreY[other]! - players.centreY[slot]!;
  return { x, y, splits: false, ejects: false, other, distance: Math.hypot(x, y) };
}

/** Friends who spare each other, and come together again when they are too far apart. */
export function softMove(
  world: World,
  slot: number,
  mood: Mood,
  friends: readonly number[],
  random: Random,
  apart = Infinity,
): Move {
  const nearest = nearestOf(world, slot, friends);
  const move = honestMove(world, slot, mood, friends, random);
  if (nearest && isTooNear(world, slot, nearest)) return { ...move, x: -nearest.x, y: -nearest.y };
  const isCalm = mood.alarmTick === 0 && portalPhase(world.portals) === 'idle';
  return nearest && isCalm && nearest.distance > apart ? nearest : move;
}

/** Plays like anybody until portals are announced; then gives its body to the friend, who goes for the portal with it. */
export function dumpMove(
  world: World,
  slot: number,
  mood: Mood,
  friend: number,
  random: Random,
  isGiver: boolean,
): Move {
  const phase = portalPhase(world.portals);
  const honest = honestMove(world, slot, mood, [friend], random);
  if (phase !== 'warning' && phase !== 'active') return honest;
  const way = towards(world, slot, friend);
  if (isGiver) return canEat(world, slot, friend) ? honest : way;
  // The taker meets the giver halfway, then leaves as soon as it has the bounty.
  return mood.alarmTick === 0 && way.distance < 2_500 ? way : honest;
}

/** Throws mass to the friend whenever it is near, and keeps its own stake. */
export function feedMove(world: World, slot: number, mood: Mood, friend: number, random: Random): Move {
  const way = towards(world, slot, friend);
  const move = softMove(world, slot, mood, [friend], random, 500);
  const own = world.players.massMilli[slot]!;
  if (mood.alarmTick !== 0 || own < 56_000 || way.distance > 450 || isTooNear(world, slot, way)) return move;
  return { ...way, ejects: true };
}

/** Follows somebody who knows nothing of it, spares it, feeds it and throws itself away. */
export function framingMove(world: World, slot: number, mood: Mood, victim: number, random: Random): Move {
  const way = towards(world, slot, victim);
  const move = honestMove(world, slot, mood, [victim], random);
  if (portalPhase(world.portals) === 'warning') return way;
  if (way.distance > 600) return mood.alarmTick === 0 ? way : move;
  return world.players.massMilli[slot]! > 60_000 ? { ...way, ejects: true } : move;
}

/** Where everybody was at some time, by slot, and who it was. */
export type Past = {
  readonly x: Float64Array;
  readonly y: Float64Array;
  readonly generation: Uint32Array;
};

/** Knows where everybody is, or was: heads for prey beyond the screen when there is none on it. */
export function sightedMove(
  world: World,
  slot: number,
  mood: Mood,
  random: Random,
  past: Past | undefined = undefined,
): Move {
  const { players } = world;
  const move = honestMove(world, slot, mood, [], random);
  if (mood.alarmTick !== 0 || portalPhase(world.portals) !== 'idle') return move;
  const { halfWidth, halfHeight } = viewOf(world, slot);
  let best: Way | undefined;
  for (let other = 0; other < players.top; other++) {
    if (other === slot || !players.isAlive[other] || !canEat(world, slot, other)) continue;
    const way = towards(world, slot, other);
    if (Math.abs(way.x) < halfWidth && Math.abs(way.y) < halfHeight) return move;
    const known = past ? asItWas(world, slot, way, past) : way;
    if (known && known.distance < (best?.distance ?? 3_000)) best = known;
  }
  return best ?? move;
}

/** Undefined if it was somebody else, who had the slot then. */
function asItWas({ players }: World, slot: number, way: Way, past: Past): Way | undefined {
  if (past.generation[way.other] !== players.generation[way.other]) return undefined;
  const x = past.x[way.other]! - players.centreX[slot]!;
  const y = past.y[way.other]! - players.centreY[slot]!;
  return { ...way, x, y, distance: Math.hypot(x, y) };
}

function canEat(world: World, eater: number, prey: number): boolean {
  const { bodies, rules } = world;
  const mass = (slot: number) => bodies.massMilli[primaryCell(world, slot)]!;
  return mass(eater) >= mass(prey) * rules.eating.massRatio;
}

function nearestOf(world: World, slot: number, friends: readonly number[]): Way | undefined {
  return friends.map((friend) => towards(world, slot, friend)).toSorted((a, b) => a.distance - b.distance)[0];
}

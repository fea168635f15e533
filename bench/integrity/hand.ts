import type { Random } from '@engulf/sim/random';
import { randomBetween } from '@engulf/sim/random';

/*
 * A person's hand, roughly: what was decided arrives late, the pointer follows with inertia, trembles slowly, and rests now and
 * then. Every account has a hand of its own.
 */

export type Hand = {
  readonly delayTicks: number;
  readonly stiffness: number;
  readonly tremor: number;
  readonly reach: number;
  /** How long it moves between two rests, on average. */
  readonly busyTicks: number;
  restsFromTick: number;
  restsUntilTick: number;
  x: number;
  y: number;
  velocityX: number;
  velocityY: number;
  shakeX: number;
  shakeY: number;
  readonly goals: { atTick: number; x: number; y: number }[];
};

export function newHand(random: Random): Hand {
  return {
    delayTicks: 3 + Math.floor(randomBetween(random, 0, 5)),
    stiffness: randomBetween(random, 0.12, 0.3),
    tremor: randomBetween(random, 3, 14),
    reach: randomBetween(random, 220, 520),
    busyTicks: randomBetween(random, 60, 250),
    restsFromTick: 0,
    restsUntilTick: 0,
    x: 0,
    y: 0,
    velocityX: 0,
    velocityY: 0,
    shakeX: 0,
    shakeY: 0,
    goals: [],
  };
}

/** Forgets what it was about: another life begins, maybe of another match. */
export function letGo(hand: Hand): void {
  hand.goals.length = 0;
  hand.restsFromTick = 0;
  hand.restsUntilTick = 0;
  hand.velocityX = 0;
  hand.velocityY = 0;
}

/** Wants to point in a direction. Attention wavers, so some goals arrive later than others. */
export function aimAt(hand: Hand, x: number, y: number, tick: number, random: Random): void {
  const length = Math.sqrt(x * x + y * y) || 1;
  const reach = hand.reach * randomBetween(random, 0.75, 1.25);
  const late = Math.floor(randomBetween(random, 0, 3));
  hand.goals.push({
    atTick: tick + hand.delayTicks + late,
    x: (x / length) * reach,
    y: (y / length) * reach,
  });
}

/** Moves for a step. Undefined while it rests. */
export function moveHand(hand: Hand, tick: number, random: Random): { x: number; y: number } | undefined {
  while (hand.goals.length > 1 && hand.goals[1]!.atTick <= tick) hand.goals.shift();
  const goal = hand.goals[0];
  if (!goal || goal.atTick > tick) return undefined;
  if (tick >= hand.restsFromTick) {
    hand.restsUntilTick = hand.restsFromTick === 0 ? 0 : tick + Math.floor(randomBetween(random, 8, 50));
    hand.restsFromTick =
      Math.max(tick, hand.restsUntilTick) + Math.floor(hand.busyTicks * randomBetween(random, 0.2, 1.8));
  }
  const isResting = tick < hand.restsUntilTick;
  hand.velocityX = 0.55 * hand.velocityX + (isResting ? 0 : hand.stiffness * (goal.x - hand.x));
  hand.velocityY = 0.55 * hand.velocityY + (isResting ? 0 : hand.stiffness * (goal.y - hand.y));
  hand.x += hand.velocityX;
  hand.y += hand.velocityY;
  hand.shakeX = 0.85 * hand.shakeX + randomBetween(random, -hand.tremor, hand.tremor) * 0.5;
  hand.shakeY = 0.85 * hand.shakeY + randomBetween(random, -hand.tremor, hand.tremor) * 0.5;
  const speed = Math.abs(hand.velocityX) + Math.abs(hand.velocityY);
  if (speed < 4 && (isResting || randomBetween(random, 0, 1) < 0.7)) return undefined;
  return { x: hand.x + hand.shakeX, y: hand.y + hand.shakeY };
}

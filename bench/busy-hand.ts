import { type Random, randomBelow, randomBetween } from '@engulf/sim/random';

/** Somebody who moves the mouse all the time. */
type Hand = { x: number; y: number; toX: number; toY: number; restTicks: number };

export function createHand(script: Random): Hand {
  return {
    x: 0,
    y: 0,
    toX: randomBetween(script, -900, 900),
    toY: randomBetween(script, -500, 500),
    restTicks: 0,
  };
}

/** Towards a target, slower near it, with a tremor; then a short rest, as people do. */
export function moveHand(hand: Hand, script: Random): void {
  if (hand.restTicks > 0) {
    hand.restTicks--;
    return;
  }
  hand.x += (hand.toX - hand.x) * 0.2 + randomBetween(script, -3, 3);
  hand.y += (hand.toY - hand.y) * 0.2 + randomBetween(script, -3, 3);
  const distance = Math.abs(hand.toX - hand.x) + Math.abs(hand.toY - hand.y);
  if (distance > 15) return;
  hand.toX = randomBetween(script, -900, 900);
  hand.toY = randomBetween(script, -500, 500);
  hand.restTicks = randomBelow(script, 15);
}

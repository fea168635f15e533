import type { FoodView } from '@engulf/netcode/decode/arena-view';
import type { ArenaEvent } from '../../net/events.ts';
import { type Bodies, type Body, findEater, isOwnCell, isShown } from '../playout/bodies.ts';
import { predictEaten, restoreUneaten } from '../playout/food.ts';
import { isInSight } from './camera.ts';
import type { Frame } from './frame.ts';
import { type Gulp, startGulp } from './gulps.ts';

/** Where it was shown last. */
type Prey = Pick<Gulp, 'kind' | 'colour'> & {
  readonly x: number;
  readonly y: number;
  readonly radius: number;
};

/** What is eaten, and what of it is shown and heard. */
export function createEating(frame: Frame, bodies: Bodies, publish: (event: ArenaEvent) => void) {
  return {
    eatBody(body: Body, maxGulps: number): void {
      if (body.kind !== 'virus') eat({ ...lookOf(body), kind: body.kind }, maxGulps);
    },
    eatFood,
    eatAhead,
    /** A cell or virus that an own cell will have eaten by that tick. */
    eatBodyAhead(body: Body, tick: number, maxGulps: number): void {
      if (body.kind === 'cell') eat({ ...lookOf(body), kind: 'cell' }, maxGulps);
      body.eatenTick = tick;
    },
    /** An own cell merges with another, or was shown as divided from it too soon. */
    absorb(body: Body, into: Body): void {
      if (isShown(body)) startGulp(frame.gulps, { ...lookOf(body), kind: 'cell' }, into, frame.nowMs);
    },
  };

  function eatFood(item: FoodView, maxGulps: number): void {
    eat({ ...lookOf(item), kind: 'food' }, maxGulps);
  }

  /** The own cells are shown ahead of the room, and so is the food that they eat. */
  function eatAhead(isStillThere: (item: FoodView) => boolean, maxGulps: number): void {
    const { food, nowMs } = frame;
    restoreUneaten(food, isStillThere, nowMs);
    for (const body of bodies.values()) {
      if (!isOwnCell(body) || !isShown(body)) continue;
      for (const item of food.shown.values()) {
        const dx = item.x - body.x;
        const dy = item.y - body.y;
        if (dx * dx + dy * dy >= body.radius * body.radius) continue;
        predictEaten(food, item, nowMs);
        eatFood(item, maxGulps);
      }
    }
  }

  /** Publishes what was eaten in sight and starts its animation. */
  function eat(prey: Prey, maxGulps: number): void {
    const { kind, x, y, radius } = prey;
    if (!isInSight(frame.camera, x, y, radius)) return;
    const eater = findEater(bodies, x, y, radius);
    if (!eater) return;
    publish({ type: 'eaten', prey: kind, isOwnEater: isOwnCell(eater) });
    if (frame.gulps.length < maxGulps) startGulp(frame.gulps, prey, eater, frame.nowMs);
  }
}

function lookOf({ colour, x, y, radius }: Body | FoodView) {
  return { colour, x, y, radius };
}

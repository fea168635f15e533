import { describe, expect, test, vi } from 'vitest';
import { type Bodies, type Body, createBody } from './bodies.ts';
import { recordSample } from './motion.ts';
import { showBodies } from './show-bodies.ts';

const nothing = () => {};

/** A cell with samples for the ticks 1 … `until`. */
function cell(
  id: number,
  isOwn: boolean,
  radius: number,
  xAt: (tick: number) => number,
  until: number,
): Body {
  const look = { id, kind: 'cell', player: undefined, colour: 0, isOwn } as const;
  const body = createBody({ ...look, x: xAt(until), y: 0, radius }, 1);
  for (let tick = 1; tick <= until; tick++) recordSample(body.motion, tick, xAt(tick), 0, radius);
  return body;
}

function eat(body: Body, tick: number): void {
  body.goneTick = tick;
  body.wasEaten = true;
}

describe('an own cell that was eaten', () => {
  test('goes back to where it was eaten and vanishes when its eater is shown there', () => {
    const prey = cell(1, true, 60, (tick) => 10 * tick, 9);
    const eater = cell(2, false, 120, (tick) => 300 - 25 * tick, 10);
    const bodies: Bodies = new Map([prey, eater].map((body) => [body.id, body]));
    showBodies(bodies, 7, 0, nothing);
    prey.x = 230;
    eat(prey, 10);
    const onGone = vi.fn();
    const seen: number[] = [];
    for (let tick = 7.4; tick < 10; tick += 0.4) {
      showBodies(bodies, tick, 0, onGone);
      seen.push(prey.x);
    }
    expect(seen).toEqual(seen.toSorted((a, b) => b - a));
    expect(onGone).not.toHaveBeenCalled();
    showBodies(bodies, 10, 0, onGone);
    expect(onGone).toHaveBeenCalledExactlyOnceWith(prey);
    expect(Math.abs(prey.x - eater.x)).toBeLessThan(eater.radius);
  });

  test('meets its eater where that is by now if the news came late', () => {
    const prey = cell(1, true, 60, (tick) => 10 * tick, 9);
    const eater = cell(2, false, 120, (tick) => 100 + 60 * (tick - 10), 16);
    const bodies: Bodies = new Map([prey, eater].map((body) => [body.id, body]));
    showBodies(bodies, 13, 0, nothing);
    prey.x = 400;
    eat(prey, 10);
    let last = prey.x;
    for (let tick = 13.4; bodies.has(1); tick += 0.2) {
      last = prey.x;
      showBodies(bodies, tick, 0, nothing);
      expect(tick).toBeLessThan(16);
    }
    expect(Math.abs(last - eater.x)).toBeLessThan(eater.radius);
  });

  test('vanishes at once if it merged with a larger own cell', () => {
    const small = cell(1, true, 60, () => 100, 9);
    const large = cell(2, true, 90, () => 130, 10);
    const bodies: Bodies = new Map([small, large].map((body) => [body.id, body]));
    showBodies(bodies, 7, 0, nothing);
    eat(small, 10);
    showBodies(bodies, 7.4, 0, nothing);
    expect(bodies.has(1)).toBe(false);
  });
});

import { describe, expect, test } from 'vitest';
import { addBody, BODY } from '../bodies.ts';
import { updateCentres } from '../cells.ts';
import { findPlayer } from '../players.ts';
import {
  bountyOf,
  cellsOf,
  isAlive,
  massOf,
  ofType,
  place,
  placeSibling,
  quietWorld,
  run,
} from '../testing/arena-builder.ts';

describe('eating', () => {
  test('needs 1.3 times the mass of the prey', () => {
    for (const [mass, isEaten] of [
      [100, true],
      [101, false],
    ] as const) {
      const world = quietWorld();
      place(world, { x: 1000, y: 1000, mass: 130 });
      const prey = place(world, { x: 1010, y: 1000, mass });
      run(world, 1);
      expect(isAlive(world, prey)).toBe(!isEaten);
    }
  });

  test('needs the centre of the prey well inside', () => {
    // Radius 200 against 100: eaten when nearer than 200 − 100/3.
    for (const [distance, isEaten] of [
      [166, true],
      [167, false],
    ] as const) {
      const world = quietWorld();
      place(world, { x: 1000, y: 1000, mass: 400 });
      const prey = place(world, { x: 1000 + distance, y: 1000, mass: 100 });
      run(world, 1);
      expect(isAlive(world, prey)).toBe(!isEaten);
    }
  });

  test('the last cell brings its mass and the whole bounty', () => {
    const world = quietWorld();
    const eater = place(world, { x: 1000, y: 1000, mass: 400, stake: 50n });
    const prey = place(world, { x: 1010, y: 1000, mass: 100, stake: 7n });
    const events = run(world, 1);
    expect(massOf(world, eater)).toBe(500);
    expect(bountyOf(world, eater)).toBe(57n);
    expect(ofType(events, 'killed')).toEqual([
      { type: 'killed', victim: prey, killer: eater, bountyMoved: 7n, massMilli: 100_000 },
    ]);
  });

  test('one of several cells brings its share of the bounty', () => {
    const world = quietWorld();
    const eater = place(world, { x: 1000, y: 1000, mass: 400, stake: 0n });
    const prey = place(world, { x: 1010, y: 1000, mass: 100, stake: 1000n });
    placeSibling(world, prey, 2500, 2500, 200);
    const events = run(world, 1);
    expect(bountyOf(world, eater)).toBe(333n);
    expect(bountyOf(world, prey)).toBe(667n);
    expect(ofType(events, 'cellEaten')).toMatchObject([{ bountyMoved: 333n, massMilli: 100_000 }]);
    expect(ofType(events, 'killed')).toEqual([]);
  });

  test('a contested prey goes to the largest cell', () => {
    const world = quietWorld();
    const smaller = place(world, { x: 900, y: 1000, mass: 390 });
    const larger = place(world, { x: 1100, y: 1000, mass: 400 });
    place(world, { x: 1000, y: 1000, mass: 50 });
    run(world, 1);
    expect(massOf(world, larger)).toBe(450);
    expect(massOf(world, smaller)).toBe(390);
  });

  test('a cell that is being eaten eats nothing', () => {
    // A row in which each can eat only the next: small lies inside middle, but out of reach of large. In both orders of
    // slots, because whoever is judged first must not matter.
    for (const order of [
      ['large', 'middle', 'small'],
      ['small', 'middle', 'large'],
    ] as const) {
      const world = quietWorld();
      const places = {
        large: { x: 1000, y: 1000, mass: 2000 },
        middle: { x: 1385, y: 1000, mass: 300 },
        small: { x: 1500, y: 1000, mass: 50 },
      };
      const players = new Map(order.map((name) => [name, place(world, places[name])]));
      const events = run(world, 1);
      expect(ofType(events, 'cellEaten')).toMatchObject([
        { eater: players.get('large'), prey: players.get('middle') },
      ]);
      expect(massOf(world, players.get('large')!)).toBe(2300);
      expect(massOf(world, players.get('small')!)).toBe(50);
    }
  });

  test('a cell inside two others, one inside the other, goes to the largest', () => {
    const world = quietWorld();
    const large = place(world, { x: 1000, y: 1000, mass: 2000 });
    place(world, { x: 1000, y: 1000, mass: 300 });
    place(world, { x: 1000, y: 1000, mass: 50 });
    const events = run(world, 1);
    expect(ofType(events, 'cellEaten').map(({ eater }) => eater)).toEqual([large, large]);
    expect(massOf(world, large)).toBe(2350);
  });

  test('invulnerable players cannot be eaten and cannot eat', () => {
    const world = quietWorld();
    const fresh = place(world, { x: 1000, y: 1000, mass: 400, isInvulnerable: true });
    const small = place(world, { x: 1000, y: 1000, mass: 50 });
    const large = place(world, { x: 1000, y: 1000, mass: 2000 });
    const slot = findPlayer(world.players, small);
    world.players.invulnerableUntilTick[slot] = 1000;
    run(world, world.stepRules.invulnerableTicks - 1);
    expect([fresh, small, large].every((player) => isAlive(world, player))).toBe(true);
    run(world, 2);
    expect(isAlive(world, fresh)).toBe(false);
    expect(isAlive(world, small)).toBe(true);
  });

  test('ejected mass is eaten', () => {
    const world = quietWorld();
    const eater = place(world, { x: 1000, y: 1000, mass: 40 });
    addBody(world.bodies, world.rules, BODY.ejected, 0, 1010, 1000, 13_000, 0);
    run(world, 1);
    expect(massOf(world, eater)).toBe(53);
    expect(world.bodies.ejectedCount).toBe(0);
  });

  test('pieces of a burst are not eaten in the same step', () => {
    const world = quietWorld();
    const burster = place(world, { x: 1000, y: 1000, mass: 2000 });
    const bystander = place(world, { x: 1900, y: 1000, mass: 900 });
    addBody(world.bodies, world.rules, BODY.virus, -1, 1000, 1000, 100_000, 0);
    run(world, 1);
    expect(cellsOf(world, burster)).toHaveLength(16);
    updateCentres(world);
    expect(massOf(world, burster)).toBe(2100);
    expect(massOf(world, bystander)).toBeCloseTo(900, 0);
  });
});

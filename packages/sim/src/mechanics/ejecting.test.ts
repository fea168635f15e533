import { describe, expect, test } from 'vitest';
import { BODY } from '../bodies.ts';
import { massOf, order, place, placeSibling, quietRules, quietWorld, run } from '../testing/arena-builder.ts';

describe('ejecting', () => {
  test('costs 16, yields 13 and flies towards the pointer', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 100 });
    order(world, { type: 'steer', player, x: 0, y: 300 });
    order(world, { type: 'eject', player });
    run(world, 1);
    expect(massOf(world, player)).toBe(84);
    const piece = world.bodies.kind.indexOf(BODY.ejected);
    expect(world.bodies.massMilli[piece]).toBe(13_000);
    run(world, 8);
    expect(world.bodies.y[piece]).toBeGreaterThan(1350);
  });

  test('needs mass 36 in each ejecting cell', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 35 });
    placeSibling(world, player, 2000, 2000, 36);
    order(world, { type: 'eject', player });
    run(world, 1);
    expect(world.bodies.ejectedCount).toBe(1);
    expect(massOf(world, player)).toBe(55);
  });

  test('waits for the cooldown', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 1000 });
    for (let i = 0; i < 10; i++) {
      order(world, { type: 'eject', player });
      run(world, 1);
    }
    expect(world.bodies.ejectedCount).toBe(Math.ceil(10 / world.stepRules.ejectCooldownTicks));
  });

  test('ejected mass is limited, and dissolves in the end', () => {
    const world = quietWorld({ ejecting: { ...quietRules.ejecting, maxEjected: 3, lifetimeSeconds: 2 } });
    const player = place(world, { x: 200, y: 1000, mass: 2000 });
    order(world, { type: 'steer', player, x: 2000, y: 0 });
    for (let i = 0; i < 30; i++) {
      order(world, { type: 'eject', player });
      run(world, 1);
      order(world, { type: 'steer', player, x: 2000, y: 0 });
    }
    expect(world.bodies.ejectedCount).toBeLessThanOrEqual(3);
    run(world, 60);
    expect(world.bodies.ejectedCount).toBe(0);
  });
});

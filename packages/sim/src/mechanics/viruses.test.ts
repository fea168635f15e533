import { describe, expect, test } from 'vitest';
import { addBody, BODY } from '../bodies.ts';
import {
  cellsOf,
  massOf,
  ofType,
  place,
  placeSibling,
  quietRules,
  quietWorld,
  run,
} from '../testing/arena-builder.ts';

describe('viruses', () => {
  test('burst a cell that is big enough to eat one', () => {
    for (const [mass, isBurst] of [
      [129, false],
      [131, true],
    ] as const) {
      const world = quietWorld();
      const player = place(world, { x: 1000, y: 1000, mass });
      addBody(world.bodies, world.rules, BODY.virus, -1, 1000, 1000, 100_000, 0);
      const events = run(world, 1);
      expect(ofType(events, 'burst')).toHaveLength(isBurst ? 1 : 0);
      expect(cellsOf(world, player).length > 1).toBe(isBurst);
      expect(massOf(world, player)).toBe(isBurst ? mass + 100 : mass);
    }
  });

  test('do not burst a player who already has all cells', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 1000 });
    for (let i = 0; i < 15; i++) placeSibling(world, player, 100 + i * 190, 2800, 20);
    addBody(world.bodies, world.rules, BODY.virus, -1, 1000, 1000, 100_000, 0);
    const events = run(world, 1);
    expect(ofType(events, 'burst')).toEqual([]);
    expect(massOf(world, player)).toBe(1400);
  });

  test('shoot a smaller virus when fed seven times', () => {
    const world = quietWorld();
    const virus = addBody(world.bodies, world.rules, BODY.virus, -1, 1000, 1000, 100_000, 0);
    const events = [];
    for (let meal = 1; meal <= 7; meal++) {
      const piece = addBody(world.bodies, world.rules, BODY.ejected, 0, 990, 1000, 13_000, 0);
      world.bodies.boostX[piece] = 200;
      events.push(...run(world, 1));
      expect(world.bodies.virusCount).toBe(meal < 7 ? 1 : 2);
    }
    expect(ofType(events, 'virusShot')).toHaveLength(1);
    const shot = world.bodies.massMilli.indexOf(85_000);
    expect(world.bodies.kind[shot]).toBe(BODY.virus);
    run(world, 40);
    expect(world.bodies.x[shot]).toBeGreaterThan(world.bodies.x[virus]! + 300);
    expect(world.bodies.meals[virus]).toBe(0);
  });

  test('are replaced when eaten, up to the number in the rules', () => {
    const world = quietWorld({ viruses: { ...quietRules.viruses, count: 4, respawnPerSecond: 5 } });
    expect(world.bodies.virusCount).toBe(4);
    const player = place(world, { x: 1500, y: 1500, mass: 3000 });
    // Out of its reach, wherever they grew.
    world.bodies.x.fill(2800, 0, 4);
    world.bodies.y.fill(2800, 0, 4);
    for (let i = 0; i < 15; i++) placeSibling(world, player, 100, 100, 40);
    run(world, 1); // viruses regrow in the very first step
    world.bodies.x[world.bodies.kind.indexOf(BODY.virus)] = 1500;
    world.bodies.y[world.bodies.kind.indexOf(BODY.virus)] = 1500;
    run(world, 1);
    expect(world.bodies.virusCount).toBe(3);
    run(world, 100);
    expect(world.bodies.virusCount).toBe(4);
  });
});

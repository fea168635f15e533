import { describe, expect, test } from 'vitest';
import { mergeDelayTicks } from '../rules.ts';
import { cellsOf, massOf, order, place, placeSibling, quietWorld, run } from '../testing/arena-builder.ts';

describe('siblings', () => {
  test('push each other apart until they only touch', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 100 });
    const other = placeSibling(world, player, 1050, 1000, 300);
    const [cell] = cellsOf(world, player) as [number];
    run(world, world.stepRules.noPushTicks + 2);
    const gap = world.bodies.x[other]! - world.bodies.x[cell]!;
    expect(gap).toBeGreaterThan(0.9 * (world.bodies.radius[cell]! + world.bodies.radius[other]!));
    // The lighter one moves more.
    expect(1000 - world.bodies.x[cell]!).toBeGreaterThan(world.bodies.x[other]! - 1050);
  });

  test('separate even from the same point', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 100 });
    const other = placeSibling(world, player, 1000, 1000, 100);
    run(world, world.stepRules.noPushTicks + 2);
    expect(Math.abs(world.bodies.x[other]! - 1000)).toBeGreaterThan(50);
  });

  test('merge after 15 to 60 seconds depending on mass, and no mass is lost', () => {
    const world = quietWorld();
    expect(mergeDelayTicks(world.rules, 0)).toBe(15 * 25);
    expect(mergeDelayTicks(world.rules, 10_000_000)).toBe(60 * 25);
    const player = place(world, { x: 1000, y: 1000, mass: 80 });
    order(world, { type: 'split', player });
    run(world, mergeDelayTicks(world.rules, 40_000) - 1);
    expect(cellsOf(world, player)).toHaveLength(2);
    run(world, 200);
    expect(cellsOf(world, player)).toHaveLength(1);
    expect(massOf(world, player)).toBe(80);
  });

  test('merge many at once without losing mass', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 400 });
    for (let i = 0; i < 15; i++) {
      world.bodies.mergeTick[placeSibling(world, player, 1000 + (i % 5), 1000 + (i % 3), 20 + i)] = 0;
    }
    run(world, 3);
    expect(cellsOf(world, player)).toHaveLength(1);
    expect(massOf(world, player)).toBe(400 + 15 * 20 + 105);
  });
});

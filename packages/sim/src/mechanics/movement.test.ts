import { describe, expect, test } from 'vitest';
import { createWorld } from '../create-world.ts';
import { numberedKey } from '../keys.ts';
import { standardRules } from '../rules.ts';
import { cellsOf, massOf, order, place, quietRules, quietWorld, run } from '../testing/arena-builder.ts';

describe('steering', () => {
  test('moves a cell at 2200 · radius^-0.44 units per second', () => {
    const world = quietWorld();
    const player = place(world, { x: 200, y: 1500, mass: 100 });
    order(world, { type: 'steer', player, x: 5000, y: 0 });
    run(world, 25);
    expect(world.players.centreX[0]! - 200).toBeCloseTo(2200 * 100 ** -0.44, 1);
  });

  test('slows a cell down near the pointer and stops it there', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 100 });
    order(world, { type: 'steer', player, x: 52, y: 0 });
    run(world, 1);
    expect(world.players.centreX[0]! - 1000).toBeCloseTo((2200 * 100 ** -0.44 * 0.52) / 25, 3);
    order(world, { type: 'steer', player, x: 0, y: 0 });
    const x = world.players.centreX[0];
    run(world, 5);
    expect(world.players.centreX[0]).toBe(x);
  });

  test('stops a cell at the border', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 100, mass: 400 });
    order(world, { type: 'steer', player, x: -20_000, y: -20_000 });
    run(world, 300);
    const [cell] = cellsOf(world, player) as [number];
    expect([world.bodies.x[cell], world.bodies.y[cell]]).toEqual([100, 100]);
  });
});

describe('the rules', () => {
  test('give the same motion and decay at any step rate', () => {
    const [slow, fast] = [25, 50].map((stepsPerSecond) => {
      const world = createWorld({
        key: numberedKey(1),
        rules: { ...quietRules, cells: standardRules.cells, stepsPerSecond },
      });
      const player = place(world, { x: 500, y: 1500, mass: 1000 });
      order(world, { type: 'steer', player, x: 4000, y: 500 });
      order(world, { type: 'split', player });
      run(world, stepsPerSecond * 4);
      const reach = Math.max(...cellsOf(world, player).map((cell) => world.bodies.x[cell]!));
      run(world, stepsPerSecond * 30);
      return { reach, mass: massOf(world, player) };
    }) as [{ reach: number; mass: number }, { reach: number; mass: number }];
    expect(Math.abs(slow.reach - fast.reach)).toBeLessThan(30);
    expect(Math.abs(slow.mass - fast.mass)).toBeLessThan(0.5);
    expect(slow.mass).toBeCloseTo(1000 * 0.998 ** 34, 0);
  });
});

describe('spawning', () => {
  test('happens far from cells that could eat the newcomer, and protects it for 8 seconds', () => {
    for (let seed = 0; seed < 30; seed++) {
      const world = createWorld({ key: numberedKey(seed), rules: { ...quietRules, worldSize: 7000 } });
      for (const [x, y] of [
        [1500, 1500],
        [5500, 1500],
        [3500, 5000],
      ] as const) {
        place(world, { x, y, mass: 2000 });
      }
      order(world, { type: 'join', stake: 5n });
      const slot = 3;
      expect(world.players.massMilli[slot]).toBe(40_000);
      for (let other = 0; other < 3; other++) {
        const dx = world.players.centreX[slot]! - world.players.centreX[other]!;
        const dy = world.players.centreY[slot]! - world.players.centreY[other]!;
        expect(Math.sqrt(dx * dx + dy * dy)).toBeGreaterThan(900);
      }
      expect(world.players.invulnerableUntilTick[slot]).toBe(200);
    }
  });
});

describe('decay', () => {
  test('takes 0.2 % per second, but never below mass 100', () => {
    const world = quietWorld({ cells: standardRules.cells });
    const big = place(world, { x: 500, y: 500, mass: 1000 });
    const edge = place(world, { x: 2500, y: 2500, mass: 100.1 });
    const small = place(world, { x: 2500, y: 500, mass: 90 });
    run(world, 250);
    expect(massOf(world, big)).toBeCloseTo(1000 * 0.998 ** 10, 1);
    expect(massOf(world, edge)).toBe(100);
    expect(massOf(world, small)).toBe(90);
  });
});

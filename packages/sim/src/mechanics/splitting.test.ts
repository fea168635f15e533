import { describe, expect, test } from 'vitest';
import { cellsOf, massOf, order, place, placeSibling, quietWorld, run } from '../testing/arena-builder.ts';

describe('splitting', () => {
  test('halves a cell and launches the new one at the pointer', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 100 });
    order(world, { type: 'steer', player, x: 500, y: 0 });
    order(world, { type: 'split', player });
    run(world, 1);
    const [old, launched] = cellsOf(world, player) as [number, number];
    expect(world.bodies.massMilli[old]).toBe(50_000);
    expect(world.bodies.massMilli[launched]).toBe(50_000);
    run(world, 30);
    expect(world.bodies.x[launched]! - world.bodies.x[old]!).toBeGreaterThan(120);
    expect(world.bodies.y[launched]).toBeCloseTo(1000, 3);
  });

  test('needs mass 36', () => {
    for (const [mass, cells] of [
      [35, 1],
      [36, 2],
    ] as const) {
      const world = quietWorld();
      const player = place(world, { x: 1000, y: 1000, mass });
      order(world, { type: 'split', player });
      run(world, 1);
      expect(cellsOf(world, player)).toHaveLength(cells);
    }
  });

  test('stops at 16 cells and starts with the largest', () => {
    const world = quietWorld();
    const player = place(world, { x: 1500, y: 1500, mass: 4000 });
    for (let i = 0; i < 8; i++) {
      order(world, { type: 'split', player });
      run(world, 1);
    }
    expect(cellsOf(world, player)).toHaveLength(16);
    expect(massOf(world, player)).toBeGreaterThan(3990);

    const few = quietWorld();
    const uneven = place(few, { x: 1000, y: 1000, mass: 40 });
    for (let i = 0; i < 14; i++) placeSibling(few, uneven, 100 + 180 * i, 2000, i === 7 ? 200 : 40);
    order(few, { type: 'split', player: uneven });
    run(few, 1);
    expect(cellsOf(few, uneven)).toHaveLength(16);
    expect(cellsOf(few, uneven).filter((cell) => few.bodies.massMilli[cell] === 100_000)).toHaveLength(2);
  });

  test('carries out quick presses one per step', () => {
    const world = quietWorld();
    const player = place(world, { x: 1000, y: 1000, mass: 1000 });
    for (let i = 0; i < 9; i++) order(world, { type: 'split', player });
    run(world, 2);
    expect(cellsOf(world, player)).toHaveLength(4);
    run(world, 10);
    expect(cellsOf(world, player)).toHaveLength(16);
  });

  test('halves a cell over the mass limit, or trims it when there is no room', () => {
    const world = quietWorld();
    const player = place(world, { x: 1500, y: 1500, mass: 9_100 });
    run(world, 1);
    expect(cellsOf(world, player)).toHaveLength(2);

    const merged = quietWorld();
    const giant = place(merged, { x: 1500, y: 1500, mass: 24_000 });
    run(merged, 1);
    expect(cellsOf(merged, giant).map((cell) => merged.bodies.massMilli[cell])).toEqual(
      Array(4).fill(6_000_000),
    );

    const full = quietWorld();
    const crowd = place(full, { x: 1500, y: 1500, mass: 9_100 });
    for (let i = 0; i < 15; i++) placeSibling(full, crowd, 100, 100, 40);
    run(full, 1);
    expect(full.bodies.massMilli[cellsOf(full, crowd)[0]!]).toBe(9_000_000);
  });
});

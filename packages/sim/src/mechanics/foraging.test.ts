import { describe, expect, test } from 'vitest';
import { createWorld } from '../create-world.ts';
import { FOOD_CHUNK, FOOD_SLOTS } from '../food.ts';
import { numberedKey } from '../keys.ts';
import { rulesBeforeTide, standardRules } from '../rules.ts';
import { massOf, order, place, quietRules, quietWorld, run } from '../testing/arena-builder.ts';

const foodRules = { ...quietRules.food, count: 200, respawnPerSecond: 50 };

describe('food', () => {
  test('lies inside the world, with mass 1, 2 or 4 and 20 colours', () => {
    const { food, rules } = createWorld({
      key: numberedKey(3),
      rules: { ...standardRules, ...rulesBeforeTide },
    });
    expect(food.count).toBe(rules.food.count);
    const masses = new Set<number>();
    for (let place = 0; place < food.mass.length; place++) {
      if (food.mass[place] === 0) continue;
      masses.add(food.mass[place]!);
      const chunk = Math.floor(place / FOOD_SLOTS);
      expect((chunk % food.chunksPerSide) * FOOD_CHUNK + food.offsetX[place]!).toBeLessThan(rules.worldSize);
      expect(Math.floor(chunk / food.chunksPerSide) * FOOD_CHUNK + food.offsetY[place]!).toBeLessThan(
        rules.worldSize,
      );
      expect(food.colour[place]).toBeLessThan(20);
    }
    expect([...masses].sort()).toEqual([1, 2, 4]);
  });

  test('is eaten by the cell that covers it and grows back, and every change is listed', () => {
    const world = quietWorld({ food: foodRules });
    const player = place(world, { x: 1500, y: 1500, mass: 400 });
    const before = world.food.mass.slice();
    run(world, 1);
    let eaten = 0;
    const changed = new Set<number>();
    for (let index = 0; index < before.length; index++) {
      if (before[index] !== world.food.mass[index]) changed.add(index);
      if (before[index]! > 0 && world.food.mass[index] === 0) eaten += before[index]!;
    }
    expect(eaten).toBeGreaterThan(0);
    expect(massOf(world, player)).toBe(400 + eaten);
    const listed = new Set(world.food.changes.subarray(0, world.food.changeCount));
    for (const index of changed) expect(listed).toContain(index);
    run(world, 200);
    expect(world.food.count).toBe(foodRules.count);
  });

  test('feeds a moving cell', () => {
    const world = quietWorld({ food: foodRules });
    const player = place(world, { x: 300, y: 1500, mass: 40 });
    order(world, { type: 'steer', player, x: 2000, y: 0 });
    run(world, 150);
    expect(massOf(world, player)).toBeGreaterThan(40);
  });
});

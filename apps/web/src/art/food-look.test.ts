import { describe, expect, test } from 'vitest';
import { FOOD_COLOURS, foodColour } from './food-look.ts';

describe('food look', () => {
  test('has 20 different colours', () => {
    expect(FOOD_COLOURS).toHaveLength(20);
    expect(new Set(FOOD_COLOURS).size).toBe(20);
    for (const colour of FOOD_COLOURS) expect(colour).toMatch(/^#[0-9A-F]{6}$/);
  });

  test.each([
    [0, '#FF6F91'],
    [19, '#F5E9D0'],
    [20, '#FF6F91'],
    [-1, '#FF6F91'],
    [Number.NaN, '#FF6F91'],
  ])('colour %d is %s', (index, colour) => {
    expect(foodColour(index)).toBe(colour);
  });
});

import { PLAYER_COLOUR_COUNT } from '@engulf/domain/profile/colour';
import { describe, expect, test } from 'vitest';
import { FOOD_COLOURS, foodColour, PLAYER_COLOURS } from './palette.ts';

describe('player colours', () => {
  test('are 12 pairs of different colours', () => {
    expect(PLAYER_COLOURS).toHaveLength(PLAYER_COLOUR_COUNT);
    expect(new Set(PLAYER_COLOURS.flat()).size).toBe(24);
    for (const colour of PLAYER_COLOURS.flat()) expect(colour).toMatch(/^#[0-9A-F]{6}$/);
  });
});

describe('food colours', () => {
  test('are 20 different colours', () => {
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
  ])('index %d is %s', (index, colour) => {
    expect(foodColour(index)).toBe(colour);
  });
});

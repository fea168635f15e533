import { describe, expect, test } from 'vitest';
import { foodRadius, massToRadius } from './size.ts';

describe('size', () => {
  test.each([
    [0, 0],
    [1, 10],
    [4, 20],
    [100, 100],
  ])('mass %d has radius %d', (mass, radius) => {
    expect(massToRadius(mass)).toBe(radius);
  });

  test.each([
    [1, 10],
    [2, 14.14],
    [4, 20],
    [9, 30],
  ])('food of mass %d has radius %d', (mass, radius) => {
    expect(foodRadius(mass)).toBe(radius);
  });
});

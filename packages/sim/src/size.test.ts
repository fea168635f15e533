import { describe, expect, test } from 'vitest';
import { standardRules } from './rules.ts';
import { foodRadius, massToRadius, radiusToMass } from './size.ts';

describe('size', () => {
  test.each([
    [0, 0],
    [1, 10],
    [4, 20],
    [100, 100],
  ])('mass %d has radius %d by the law of older recordings', (mass, radius) => {
    expect(massToRadius({ factor: 10, eighths: 4 }, mass)).toBe(radius);
  });

  test.each([
    [0, 0],
    [1, 12],
    [256, 96],
  ])('mass %d has radius %d', (mass, radius) => {
    expect(massToRadius(standardRules.size, mass)).toBe(radius);
  });

  test('a mass can be told from the radius, by either law', () => {
    for (const law of [standardRules.size, { factor: 10, eighths: 4 }]) {
      for (const mass of [0, 13, 40, 1_000, 22_500]) {
        expect(radiusToMass(law, massToRadius(law, mass))).toBeCloseTo(mass, 8);
      }
    }
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

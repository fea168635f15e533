import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { borderThickness, isBlinking, isLabelShown } from './cell-look.ts';

describe('cell look', () => {
  test.each([
    [0, 4],
    [50, 4],
    [100, 7],
    [200, 14],
    [5000, 14],
  ])('radius %d has a border of %d', (radius, thickness) => {
    expect(borderThickness(radius)).toBeCloseTo(thickness);
  });

  test('borders stay between 4 and 14', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (radius) => {
        const thickness = borderThickness(radius);
        expect(thickness >= 4 && thickness <= 14).toBe(true);
      }),
    );
  });

  test('labels show above radius 12', () => {
    expect(isLabelShown(12)).toBe(false);
    expect(isLabelShown(12.01)).toBe(true);
  });

  test.each([
    [8, false],
    [4.01, false],
    [4, true],
    [0.1, true],
    [0, false],
  ])('invulnerable for %d s: blinking %s', (remainingS, blinks) => {
    expect(isBlinking(remainingS)).toBe(blinks);
  });
});

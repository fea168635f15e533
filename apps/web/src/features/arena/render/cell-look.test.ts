import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { borderThickness } from '../../../art/membrane.ts';
import { isBlinking, isLabelShown } from './cell-look.ts';

describe('cell look', () => {
  test.each([
    [0, 4],
    [50, 4],
    [100, 7],
    [200, 14],
    [5000, 14],
  ])('a cell of radius %d has a border of %d', (radius, thickness) => {
    expect(borderThickness(radius)).toBeCloseTo(thickness);
  });

  test('borders are between 4 and 14 thick', () => {
    fc.assert(
      fc.property(fc.double({ min: 0, max: 1e6, noNaN: true }), (radius) => {
        const thickness = borderThickness(radius);
        expect(thickness >= 4 && thickness <= 14).toBe(true);
      }),
    );
  });

  test('labels are shown above radius 12', () => {
    expect(isLabelShown(12)).toBe(false);
    expect(isLabelShown(12.01)).toBe(true);
  });

  test.each([
    [8, false],
    [4.01, false],
    [4, true],
    [0.1, true],
    [0, false],
  ])('invulnerable for another %d s blinks: %s', (remainingS, blinks) => {
    expect(isBlinking(remainingS)).toBe(blinks);
  });
});

import * as fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { powExact } from './exact-math.ts';

describe('powExact', () => {
  test('agrees with ** to 12 digits', () => {
    fc.assert(
      fc.property(
        fc.double({ min: 1e-6, max: 1e6, noNaN: true }),
        fc.double({ min: -3, max: 3, noNaN: true }),
        (base, exponent) => {
          const expected = base ** exponent;
          expect(Math.abs(powExact(base, exponent) - expected)).toBeLessThanOrEqual(expected * 1e-12);
        },
      ),
    );
  });

  test('throws for a base that has no logarithm', () => {
    for (const base of [0, -1, Number.NaN]) expect(() => powExact(base, 2)).toThrow(RangeError);
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { isBasisPoints, splitFee } from './fee-split.ts';

describe('splitFee', () => {
  test.each([
    [100_000_000n, 500, 5_000_000n, 95_000_000n],
    [100n, 0, 0n, 100n],
    [100n, 10_000, 100n, 0n],
    [19n, 500, 0n, 19n],
    [20n, 500, 1n, 19n],
    [0n, 500, 0n, 0n],
  ])('of %d at %d basis points', (fee, basisPoints, treasury, stake) => {
    expect(splitFee(fee, basisPoints)).toEqual({ treasury, stake });
  });

  test('loses nothing and never charges above the rate', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 64n - 1n });
    fc.assert(
      fc.property(amount, fc.integer({ min: 0, max: 10_000 }), (fee, basisPoints) => {
        const { treasury, stake } = splitFee(fee, basisPoints);
        expect(treasury + stake).toBe(fee);
        expect(treasury * 10_000n <= fee * BigInt(basisPoints)).toBe(true);
        expect((treasury + 1n) * 10_000n > fee * BigInt(basisPoints)).toBe(true);
      }),
    );
  });

  test.each([-1, 10_001, 0.5, Number.NaN])('refuses a rate of %d', (basisPoints) => {
    expect(isBasisPoints(basisPoints)).toBe(false);
    expect(() => splitFee(1n, basisPoints)).toThrow(RangeError);
  });

  test('refuses a negative fee', () => {
    expect(() => splitFee(-1n, 0)).toThrow(RangeError);
  });
});

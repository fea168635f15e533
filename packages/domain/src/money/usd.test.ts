import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { SOL, token } from './amount.ts';
import { formatUsd, usdValue } from './usd.ts';

describe('usdValue', () => {
  test('prices SOL', () => {
    expect(usdValue(618_000_000n, SOL, 142_600_000n)).toBe(88_126_800n);
    expect(usdValue(1n, SOL, 142_600_000n)).toBe(0n);
    expect(usdValue(0n, SOL, 142_600_000n)).toBe(0n);
    expect(usdValue(1_000_000_000n, SOL, 0n)).toBe(0n);
  });

  test('prices tokens with 0 and 18 decimals', () => {
    expect(usdValue(3n, token('A', 0), 2_500_000n)).toBe(7_500_000n);
    expect(usdValue(10n ** 18n, token('B', 18), 1_000_001n)).toBe(1_000_001n);
  });

  test('grows with the amount and never exceeds the exact value', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 64n });
    const price = fc.bigInt({ min: 0n, max: 10n ** 12n });
    fc.assert(
      fc.property(amount, price, (units, priceMicroUsd) => {
        const value = usdValue(units, SOL, priceMicroUsd);
        expect(value * 10n ** 9n <= units * priceMicroUsd).toBe(true);
        expect(usdValue(units + 1n, SOL, priceMicroUsd) >= value).toBe(true);
      }),
    );
  });

  test('throws on a negative amount or price', () => {
    expect(() => usdValue(-1n, SOL, 1n)).toThrow(RangeError);
    expect(() => usdValue(1n, SOL, -1n)).toThrow(RangeError);
  });
});

describe('formatUsd', () => {
  test.each([
    [0n, '$0.00'],
    [9_999n, '$0.00'],
    [10_000n, '$0.01'],
    [7_139_999n, '$7.13'],
    [999_999_999n, '$999.99'],
    [1_234_567_890n, '$1,234.56'],
    [1_234_567_890_123n, '$1,234,567.89'],
  ])('%d micro-dollars read %s', (microUsd, text) => {
    expect(formatUsd(microUsd)).toBe(text);
  });
});

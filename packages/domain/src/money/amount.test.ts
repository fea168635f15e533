import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import {
  baseUnits,
  formatAmount,
  formatExactAmount,
  formatUsd,
  parseAmount,
  SOL,
  type Token,
  usdValue,
} from './amount.ts';

const token = (decimals: number): Token => ({ symbol: 'T', decimals });
const anyToken = fc.integer({ min: 0, max: 18 }).map(token);
const amount = fc.bigInt({ min: 0n, max: 2n ** 80n });

describe('formatAmount', () => {
  test.each([
    [0n, 9, '0.000'],
    [1n, 9, '0.000'],
    [999_999n, 9, '0.000'],
    [1_000_000n, 9, '0.001'],
    [1_999_999n, 9, '0.001'],
    [1_234_567_899n, 9, '1.234'],
    [999_999_999_999n, 9, '999.999'],
    [7n, 0, '7'],
    [7n, 1, '0.7'],
    [1999n, 3, '1.999'],
    [19_999n, 4, '1.999'],
    [123_456_789_012_345_678_901n, 18, '123.456'],
    [18_446_744_073_709_551_615n, 9, '18446744073.709'],
  ])('%d with %d decimals reads %s', (units, decimals, text) => {
    expect(formatAmount(units, token(decimals))).toBe(text);
  });

  test('rounds down to the last shown digit', () => {
    fc.assert(
      fc.property(amount, anyToken, (units, someToken) => {
        const shown = parseAmount(formatAmount(units, someToken), someToken);
        const step = 10n ** BigInt(Math.max(0, someToken.decimals - 3));
        expect(shown).toBe(units - (units % step));
      }),
    );
  });

  test('throws on a negative amount', () => {
    expect(() => formatAmount(-1n, SOL)).toThrow(RangeError);
  });
});

describe('formatExactAmount', () => {
  test.each([
    [100_000_000n, 9, '0.1'],
    [1_000_000_000n, 9, '1'],
    [10_000_000_000n, 9, '10'],
    [1n, 9, '0.000000001'],
    [0n, 9, '0'],
    [100n, 0, '100'],
  ])('%d with %d decimals reads %s', (units, decimals, text) => {
    expect(formatExactAmount(units, token(decimals))).toBe(text);
  });

  test('is read back exactly by parseAmount', () => {
    fc.assert(
      fc.property(amount, anyToken, (units, someToken) => {
        expect(parseAmount(formatExactAmount(units, someToken), someToken)).toBe(units);
      }),
    );
  });
});

describe('parseAmount', () => {
  test.each([
    ['0.1', 100_000_000n],
    ['1', 1_000_000_000n],
    ['001.5', 1_500_000_000n],
    ['0.100000000000', 100_000_000n],
    ['0.000000001', 1n],
    [`1${'0'.repeat(79)}`, 10n ** 88n],
  ])('reads %s', (text, units) => {
    expect(parseAmount(text, SOL)).toBe(units);
  });

  test.each([
    '',
    ' 1',
    '1 ',
    '-1',
    '+1',
    '.5',
    '5.',
    '1e3',
    '1,5',
    '0x10',
    'NaN',
    '١',
    '0.0000000001',
    '1'.repeat(81),
  ])('refuses %j', (text) => {
    expect(parseAmount(text, SOL)).toBeUndefined();
  });

  test('never throws', () => {
    fc.assert(
      fc.property(fc.string(), anyToken, (text, someToken) => {
        const units = parseAmount(text, someToken);
        expect(units === undefined || units >= 0n).toBe(true);
      }),
    );
  });
});

test('baseUnits refuses a negative amount', () => {
  expect(() => baseUnits(-1n)).toThrow(RangeError);
  expect(baseUnits(5n)).toBe(5n);
});

describe('usdValue', () => {
  test('prices SOL', () => {
    expect(usdValue(618_000_000n, SOL, 142_600_000n)).toBe(88_126_800n);
    expect(usdValue(1n, SOL, 142_600_000n)).toBe(0n);
    expect(usdValue(0n, SOL, 142_600_000n)).toBe(0n);
    expect(usdValue(1_000_000_000n, SOL, 0n)).toBe(0n);
  });

  test('prices tokens with 0 and 18 decimals', () => {
    expect(usdValue(3n, token(0), 2_500_000n)).toBe(7_500_000n);
    expect(usdValue(10n ** 18n, token(18), 1_000_001n)).toBe(1_000_001n);
  });

  test('grows with the amount and never exceeds the exact value', () => {
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

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseUnits, formatAmount, formatExactAmount, parseAmount, SOL, token } from './amount.ts';

const anyToken = fc.integer({ min: 0, max: 18 }).map((decimals) => token('T', decimals));
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
    expect(formatAmount(units, token('T', decimals))).toBe(text);
  });

  test('never shows more than there is, and less than one shown step too little', () => {
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
    expect(formatExactAmount(units, token('T', decimals))).toBe(text);
  });

  test('is read back by parseAmount to the last unit', () => {
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

  test('reads whatever it reads without ever throwing', () => {
    fc.assert(
      fc.property(fc.string(), anyToken, (text, someToken) => {
        const units = parseAmount(text, someToken);
        expect(units === undefined || units >= 0n).toBe(true);
      }),
    );
  });
});

describe('constructors', () => {
  test('refuse what cannot be', () => {
    expect(() => baseUnits(-1n)).toThrow(RangeError);
    expect(() => token(' ', 9)).toThrow(RangeError);
    expect(() => token('T', 19)).toThrow(RangeError);
    expect(() => token('T', -1)).toThrow(RangeError);
    expect(() => token('T', 1.5)).toThrow(RangeError);
    expect(baseUnits(5n)).toBe(5n);
  });
});

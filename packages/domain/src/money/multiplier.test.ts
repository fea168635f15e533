import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseUnits } from './amount.ts';
import { DEFAULT_FREE_LOBBY_ENTRY_USD, multiplierBasis, multiplierText } from './multiplier.ts';

describe('multiplierBasis', () => {
  test('is the fee of a paid lobby', () => {
    expect(multiplierBasis({ entryFee: baseUnits(5n), freeLobbyEntryUsd: baseUnits(7n) })).toBe(5n);
  });
  test('is the notional entry of a free lobby, one dollar by default', () => {
    const entryFee = baseUnits(0n);
    expect(multiplierBasis({ entryFee, freeLobbyEntryUsd: baseUnits(2_500_000n) })).toBe(2_500_000n);
    expect(multiplierBasis({ entryFee })).toBe(DEFAULT_FREE_LOBBY_ENTRY_USD);
    expect(multiplierBasis({ entryFee, freeLobbyEntryUsd: baseUnits(0n) })).toBe(1_000_000n);
  });
});

describe('multiplierText', () => {
  test.each([
    [618_000_000n, 100_000_000n, '6.18'],
    [95_000_000n, 100_000_000n, '0.95'],
    [99_999_999n, 100_000_000n, '0.99'],
    [0n, 1n, '0.00'],
    [1n, 3n, '0.33'],
    [1_250_000n, 1_000_000n, '1.25'],
    [123_456n, 1n, '123456.00'],
  ])('%d ÷ %d is %s', (reward, basis, text) => {
    expect(multiplierText(reward, basis)).toBe(text);
  });

  test('is exact for whole hundredths', () => {
    const basis = fc.bigInt({ min: 1n, max: 2n ** 60n });
    fc.assert(
      fc.property(basis, fc.integer({ min: 0, max: 100_000 }), (unit, hundredths) => {
        const [whole = '', cents = ''] = multiplierText(unit * BigInt(hundredths), unit * 100n).split('.');
        expect(Number(whole) * 100 + Number(cents)).toBe(hundredths);
        expect(cents).toHaveLength(2);
      }),
    );
  });

  test.each([
    [1n, 0n],
    [1n, -1n],
    [-1n, 1n],
  ])('throws on %d ÷ %d', (reward, basis) => {
    expect(() => multiplierText(reward, basis)).toThrow('a multiplier needs');
  });
});

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { baseUnits, formatAmount, SOL, USD } from './amount.ts';
import { multiplierBasis, multiplierText, parseRewardText, rewardText } from './reward-text.ts';

describe('rewardText', () => {
  test('shows the amount and the multiple of the entry', () => {
    expect(rewardText(618_000_000n, SOL, 100_000_000n)).toBe('0.618(x6.18)');
    expect(rewardText(1_250_000n, USD, 1_000_000n)).toBe('1.25(x1.25)');
  });

  test('is parsed back by parseRewardText', () => {
    const amount = fc.bigInt({ min: 0n, max: 2n ** 64n });
    const basis = fc.bigInt({ min: 1n, max: 2n ** 64n });
    fc.assert(
      fc.property(amount, basis, (reward, entry) => {
        expect(parseRewardText(rewardText(reward, SOL, entry))).toEqual({
          amount: formatAmount(reward, SOL),
          multiplier: multiplierText(reward, entry),
        });
      }),
    );
  });
});

describe('parseRewardText', () => {
  test.each([
    ['0.5(x2)', { amount: '0.5', multiplier: '2' }],
    ['0.5 (x2.50)', { amount: '0.5', multiplier: '2.50' }],
    ['0.5', { amount: '0.5' }],
    ['', { amount: '' }],
    ['(x3)', { amount: '', multiplier: '3' }],
    ['0.5(x2) SOL', { amount: '0.5(x2) SOL' }],
    ['0.5(x)', { amount: '0.5(x)' }],
    ['0.5(x-1)', { amount: '0.5(x-1)' }],
    ['1(x1)(x2)', { amount: '1(x1)', multiplier: '2' }],
  ])('of %j', (text, parts) => {
    expect(parseRewardText(text)).toEqual(parts);
  });
});

describe('multiplierBasis', () => {
  test('is the fee of a paid lobby', () => {
    expect(multiplierBasis({ entryFee: baseUnits(5n), freeLobbyEntryUsd: baseUnits(7n) })).toBe(5n);
  });
  test('is the notional entry of a free lobby, one dollar by default', () => {
    const entryFee = baseUnits(0n);
    expect(multiplierBasis({ entryFee, freeLobbyEntryUsd: baseUnits(2_500_000n) })).toBe(2_500_000n);
    expect(multiplierBasis({ entryFee })).toBe(1_000_000n);
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

import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { formatAmount, SOL, USD } from './amount.ts';
import { multiplierText } from './multiplier.ts';
import { parseRewardText, rewardText } from './reward-text.ts';

describe('rewardText', () => {
  test('shows the amount and how often it repays the entry', () => {
    expect(rewardText(618_000_000n, SOL, 100_000_000n)).toBe('0.618(x6.18)');
    expect(rewardText(1_250_000n, USD, 1_000_000n)).toBe('1.250(x1.25)');
  });

  test('is taken apart by parseRewardText', () => {
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

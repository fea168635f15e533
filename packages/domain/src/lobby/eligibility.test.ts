import { describe, expect, test } from 'vitest';
import { isEligible } from './eligibility.ts';

describe('isEligible', () => {
  test.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
    [true, true, true],
  ])('code %s, raffle %s: %s', (referralCodeVerified, isRaffleWinner, eligible) => {
    expect(isEligible({ referralCodeVerified, isRaffleWinner })).toBe(eligible);
  });
});

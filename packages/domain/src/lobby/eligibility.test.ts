import { describe, expect, it } from 'vitest';
import { isEligible } from './eligibility.ts';

describe('isEligible', () => {
  it.each([
    [false, false, false],
    [true, false, true],
    [false, true, true],
    [true, true, true],
  ])('code %s, raffle %s: %s', (referralCodeVerified, isRaffleWinner, eligible) => {
    expect(isEligible({ referralCodeVerified, isRaffleWinner })).toBe(eligible);
  });
});

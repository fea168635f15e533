import { describe, expect, test } from 'vitest';
import { describeFailure, ERRORS } from '../errors/registry.ts';
import { isEligible, validateAccessCode } from './access-code.ts';

describe('validateAccessCode', () => {
  test.each([
    ['abc', 'abc'],
    [' ENG123 ', 'ENG123'],
    ['', 'Access code is required'],
    ['  ', 'Access code is required'],
    ['ab', 'Access code must be at least 3 characters'],
    ['abcdefg', 'Access code must be at most 6 characters'],
    ['ab\0c', ERRORS.ACCESS_CODE_INVALID.text],
  ])('%j gives %j', (text, expected) => {
    const result = validateAccessCode(text);
    expect(result.ok ? result.value : describeFailure(result.error).text).toBe(expected);
  });
});

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

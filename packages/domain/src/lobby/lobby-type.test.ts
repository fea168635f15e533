import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { refuse } from '../errors/registry.ts';
import { ok } from '../errors/result.ts';
import { baseUnits, SOL } from '../money/amount.ts';
import {
  entryFeeText,
  formatSeats,
  isLobbyFull,
  isLobbySilent,
  parseSeats,
  validateLobbyCode,
} from './lobby-type.ts';

describe('seats', () => {
  test.each([
    ['3/10', { current: 3, max: 10 }],
    [' 3 / 25 ', { current: 3, max: 25 }],
    ['3', { current: 3, max: 10 }],
    ['3/', { current: 3, max: 10 }],
    ['3/0', { current: 3, max: 10 }],
    ['', { current: 0, max: 10 }],
    ['x/y', { current: 0, max: 10 }],
    ['-1/1e3', { current: 0, max: 10 }],
  ])('read from %j', (text, seats) => {
    expect(parseSeats(text)).toEqual(seats);
  });

  test('survive a round trip through text', () => {
    fc.assert(
      fc.property(fc.nat({ max: 500 }), fc.integer({ min: 1, max: 500 }), (current, max) => {
        expect(parseSeats(formatSeats({ current, max }))).toEqual({ current, max });
      }),
    );
  });

  test('are full at or above the maximum', () => {
    expect(isLobbyFull({ current: 9, max: 10 })).toBe(false);
    expect(isLobbyFull({ current: 10, max: 10 })).toBe(true);
    expect(isLobbyFull({ current: 11, max: 10 })).toBe(true);
  });
});

describe('isLobbySilent', () => {
  test('starts after exactly 5 s', () => {
    expect(isLobbySilent(1_000, 6_000)).toBe(false);
    expect(isLobbySilent(1_000, 6_001)).toBe(true);
  });
});

describe('entryFeeText', () => {
  test('is undefined without a fee', () => {
    expect(entryFeeText(baseUnits(100_000_000n), SOL)).toBe('0.1 SOL');
    expect(entryFeeText(baseUnits(0n), SOL)).toBeUndefined();
  });
});

describe('validateLobbyCode', () => {
  test.each(['abc', ' abcdef '])('accepts %j for a semi-private lobby', (text) => {
    expect(validateLobbyCode('semi-private', text)).toEqual(ok(text.trim()));
  });
  test.each([undefined, '', '  ', 'ab', ' ab ', 'abcdefg'])('refuses %j for a semi-private lobby', (text) => {
    expect(validateLobbyCode('semi-private', text)).toEqual(refuse('INVALID_LOBBY_CODE'));
  });
  test.each(['free', 'normal'] as const)('needs no code for a %s lobby', (lobbyType) => {
    expect(validateLobbyCode(lobbyType, 'abc')).toEqual(ok(undefined));
    expect(validateLobbyCode(lobbyType, undefined)).toEqual(ok(undefined));
  });
});

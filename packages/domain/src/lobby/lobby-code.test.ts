import { describe, expect, test } from 'vitest';
import { refuse } from '../errors/registry.ts';
import { ok } from '../errors/result.ts';
import { validateLobbyCode } from './lobby-code.ts';

describe('validateLobbyCode', () => {
  test.each(['abc', ' abcdef '])('accepts %j for a semi-private lobby', (text) => {
    expect(validateLobbyCode('semi-private', text)).toEqual(ok(text.trim()));
  });
  test.each([undefined, '', '  ', 'ab', ' ab ', 'abcdefg'])('refuses %j for a semi-private lobby', (text) => {
    expect(validateLobbyCode('semi-private', text)).toEqual(refuse('INVALID_LOBBY_CODE'));
  });
  test.each(['free', 'normal'] as const)('asks for none in a %s lobby', (lobbyType) => {
    expect(validateLobbyCode(lobbyType, 'abc')).toEqual(ok(undefined));
    expect(validateLobbyCode(lobbyType, undefined)).toEqual(ok(undefined));
  });
});

import { describe, expect, expectTypeOf, test } from 'vitest';
import {
  chainLobbyId,
  isTransactionSignature,
  isWalletAddress,
  type LobbyId,
  lobbyId,
  transactionSignature,
  type UserId,
  userId,
  walletAddress,
} from './entity-ids.ts';

const SYSTEM_PROGRAM = '1'.repeat(32);
const TOKEN_PROGRAM = 'TokenkegQfeZyiNwAJbNbGKPFXCWuBvf9Ss623VQ5DA';
const WRAPPED_SOL = 'So11111111111111111111111111111111111111112';

describe('row ids', () => {
  test('keep their text and must not be blank', () => {
    expect(userId('u-1')).toBe('u-1');
    expect(() => userId('  ')).toThrow('a user id must not be blank');
  });

  test('of different kinds are not assignable', () => {
    expectTypeOf<UserId>().not.toExtend<LobbyId>();
    expectTypeOf(lobbyId('x')).toExtend<string>();
  });
});

describe('chainLobbyId', () => {
  test.each([0n, 1n, 2n ** 64n - 1n])('accepts the u64 %d', (value) => {
    expect(chainLobbyId(value)).toBe(value);
  });
  test.each([-1n, 2n ** 64n])('refuses %d', (value) => {
    expect(() => chainLobbyId(value)).toThrow(RangeError);
  });
});

describe('wallet addresses', () => {
  test.each([SYSTEM_PROGRAM, TOKEN_PROGRAM, WRAPPED_SOL])('accept %s', (text) => {
    expect(walletAddress(text)).toBe(text);
  });

  test.each([
    ['empty', ''],
    ['33 zero bytes', '1'.repeat(33)],
    ['31 zero bytes', '1'.repeat(31)],
    ['a letter outside base58', TOKEN_PROGRAM.replace('T', 'I')],
    ['a value above 32 bytes', 'z'.repeat(44)],
    ['an Ethereum address', '0x52908400098527886E0F7030069857D2E4169EE7'],
    ['white space', ` ${TOKEN_PROGRAM}`],
  ])('refuse %s', (_case, text) => {
    expect(isWalletAddress(text)).toBe(false);
    expect(() => walletAddress(text)).toThrow(RangeError);
  });
});

describe('transaction signatures', () => {
  test('are 64 bytes', () => {
    expect(transactionSignature('1'.repeat(64))).toBe('1'.repeat(64));
    expect(isTransactionSignature('True')).toBe(false);
    expect(isTransactionSignature(TOKEN_PROGRAM)).toBe(false);
    expect(() => transactionSignature('True')).toThrow(RangeError);
  });
});

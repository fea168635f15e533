import { describe, expect, test } from 'vitest';
import { aUser } from '../testing/fixtures.ts';
import { requestEntry } from './lobby-choice.ts';

const ready = {
  user: aUser(),
  lobbyKind: 'open',
  hasLobbies: true,
  needsWallet: true,
  hasWallet: true,
  isWalletComing: false,
} as const;

describe('requestEntry', () => {
  test('opens the popup for an eligible player', () => {
    expect(requestEntry(ready)).toEqual({ kind: 'confirm' });
    const winner = aUser({ referralCodeVerified: false, isRaffleWinner: true });
    expect(requestEntry({ ...ready, user: winner })).toEqual({ kind: 'confirm' });
  });

  test('asks visitors, and players without a wallet, to connect', () => {
    expect(requestEntry({ ...ready, user: null, hasWallet: false })).toEqual({ kind: 'connect' });
    expect(requestEntry({ ...ready, hasWallet: false })).toEqual({ kind: 'connect' });
    expect(requestEntry({ ...ready, hasWallet: false, needsWallet: false })).toEqual({ kind: 'confirm' });
  });

  test('waits for a wallet that is being connected again, instead of asking for one', () => {
    const returning = { ...ready, hasWallet: false, isWalletComing: true };
    expect(requestEntry(returning)).toEqual({ kind: 'wait' });
    expect(requestEntry({ ...returning, needsWallet: false })).toEqual({ kind: 'confirm' });
  });

  test('asks a connected wallet that is not signed in to sign', () => {
    expect(requestEntry({ ...ready, user: null })).toEqual({ kind: 'sign' });
  });

  test('opens the popup of a closed lobby without a wallet', () => {
    expect(requestEntry({ ...ready, lobbyKind: 'closed', hasWallet: false })).toEqual({ kind: 'confirm' });
  });

  test('opens the guide instead for a player who has not seen it', () => {
    expect(requestEntry({ ...ready, user: aUser({ showGuide: true }) })).toEqual({ kind: 'guide' });
  });

  test.each([
    [{ lobbyKind: 'full' }, 'LOBBY_FULL'],
    [{ lobbyKind: 'full', user: null }, 'LOBBY_FULL'],
    [{ lobbyKind: 'offline' }, 'LOBBY_OFFLINE'],
    [{ lobbyKind: undefined }, 'LOBBY_NOT_FOUND'],
    [{ lobbyKind: undefined, hasLobbies: false }, 'NO_LOBBIES_FOUND'],
    [{ user: aUser({ name: ' ' }) }, 'PLAYER_NAME_REQUIRED'],
  ] as const)('refuses %j', (change, code) => {
    expect(requestEntry({ ...ready, ...change })).toMatchObject({ kind: 'refused', failure: { code } });
  });

  test('asks a player without access for the code', () => {
    const user = aUser({ referralCodeVerified: false });
    expect(requestEntry({ ...ready, user })).toEqual({ kind: 'unlock' });
  });
});

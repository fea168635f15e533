import { describe, expect, test } from 'vitest';
import { aUser } from '../testing/fixtures.ts';
import { requestEntry } from './lobby-choice.ts';

const ready = { user: aUser(), lobbyKind: 'open', needsWallet: true, hasWallet: true } as const;

describe('requestEntry', () => {
  test('opens the popup for an eligible player', () => {
    expect(requestEntry(ready)).toEqual({ kind: 'confirm' });
    expect(
      requestEntry({ ...ready, user: aUser({ referralCodeVerified: false, isRaffleWinner: true }) }),
    ).toEqual({ kind: 'confirm' });
  });

  test('asks visitors, and players without a wallet, to connect', () => {
    expect(requestEntry({ ...ready, user: null })).toEqual({ kind: 'connect' });
    expect(requestEntry({ ...ready, hasWallet: false })).toEqual({ kind: 'connect' });
    expect(requestEntry({ ...ready, hasWallet: false, needsWallet: false })).toEqual({ kind: 'confirm' });
  });

  test('opens the popup of a closed lobby without a wallet', () => {
    expect(requestEntry({ ...ready, lobbyKind: 'closed', hasWallet: false })).toEqual({ kind: 'confirm' });
  });

  test.each([
    [{ lobbyKind: 'full' }, 'LOBBY_FULL'],
    [{ lobbyKind: 'offline' }, 'LOBBY_OFFLINE'],
    [{ user: aUser({ name: ' ' }) }, 'PLAYER_NAME_REQUIRED'],
  ] as const)('refuses %j', (change, code) => {
    expect(requestEntry({ ...ready, ...change })).toMatchObject({ failure: { code }, asksForCode: false });
  });

  test('asks a player without access for the code', () => {
    const user = aUser({ referralCodeVerified: false });
    expect(requestEntry({ ...ready, user })).toMatchObject({
      failure: { code: 'USER_NOT_ELIGIBLE' },
      asksForCode: true,
    });
  });
});

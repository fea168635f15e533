// @vitest-environment happy-dom
import { beforeEach, expect, test } from 'vitest';
import { aLobby } from '../testing/fixtures.ts';
import { forgetInvite, inviteUrl, readInvite } from './invite.ts';

beforeEach(() => sessionStorage.clear());

test('an invitation leads to its lobby until it is followed, also after a reload', () => {
  const lobby = aLobby();
  window.history.replaceState(null, '', inviteUrl(lobby, 'A B#1'));
  const invite = { lobbyId: lobby.id, code: 'A B#1' };
  expect(readInvite()).toEqual(invite);
  expect(window.location.pathname + window.location.hash).toBe('/');
  expect(readInvite()).toEqual(invite);
  forgetInvite();
  expect(readInvite()).toBeUndefined();
});

test('a code is not needed, and one that cannot be read is none', () => {
  window.history.replaceState(null, '', inviteUrl(aLobby(), ''));
  expect(readInvite()).toEqual({ lobbyId: aLobby().id, code: undefined });
  window.history.replaceState(null, '', '/join/x#%E0%A4%A');
  expect(readInvite()).toEqual({ lobbyId: 'x', code: undefined });
});

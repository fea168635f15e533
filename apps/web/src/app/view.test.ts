import { describe, expect, test } from 'vitest';
import { aLobby } from '../testing/fixtures.ts';
import { nextView, type View } from './view.ts';

const menu: View = { name: 'menu' };
const lobby = aLobby();
const playing = nextView(menu, { type: 'entered', lobby, sessionId: 's', joinTicket: 't' });

describe('the two views', () => {
  test('leads into the arena with a ticket', () => {
    expect(playing).toEqual({
      name: 'playing',
      session: { type: 'player', lobby, sessionId: 's', joinTicket: 't' },
    });
  });

  test('leads back to the menu, to the payouts if asked', () => {
    expect(nextView(playing, { type: 'exited', toGames: false })).toEqual({
      name: 'menu',
      opensGames: false,
    });
    expect(nextView(playing, { type: 'exited', toGames: true })).toMatchObject({ opensGames: true });
  });

  test('opens the same lobby again after "play again"', () => {
    expect(nextView(playing, { type: 'playAgain' })).toEqual({ name: 'menu', reopenEntryOf: 'mitosis' });
  });

  test('turns a dead player into a spectator of the same lobby', () => {
    expect(nextView(playing, { type: 'spectated', lobby })).toEqual({
      name: 'playing',
      session: { type: 'spectator', lobby },
    });
  });
});

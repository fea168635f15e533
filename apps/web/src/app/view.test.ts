import { describe, expect, test } from 'vitest';
import { aLobby } from '../testing/fixtures.ts';
import { nextView, type View } from './view.ts';

const menu: View = { name: 'menu' };
const lobby = aLobby();
const playing = nextView(menu, { type: 'entered', lobby, joinTicket: 't' });

describe('the view', () => {
  test('a ticket opens the arena', () => {
    expect(playing).toEqual({ name: 'playing', visit: { type: 'player', lobby, joinTicket: 't' } });
  });

  test('leaving a game shows the menu, on the games tab if requested', () => {
    expect(nextView(playing, { type: 'exited', toGames: false })).toEqual({
      name: 'menu',
      returnedFromGame: true,
      opensGames: false,
    });
    expect(nextView(playing, { type: 'exited', toGames: true })).toMatchObject({
      opensGames: true,
      leftLobby: lobby,
    });
  });

  test('"Play Again" reopens the entry popup of the same lobby', () => {
    expect(nextView(playing, { type: 'playAgain' })).toMatchObject({
      name: 'menu',
      reopenEntryOf: 'mitosis',
    });
  });

  test('a dead player can spectate the same lobby', () => {
    expect(nextView(playing, { type: 'spectated', lobby })).toEqual({
      name: 'playing',
      visit: { type: 'spectator', lobby },
    });
  });
});

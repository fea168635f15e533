import { describe, expect, test } from 'vitest';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { aLobby } from '../testing/fixtures.ts';
import { entered, leftGameOf, nextView, spectated, type View } from './view.ts';

const menu: View = { name: 'menu' };
const lobby = aLobby();
const playing = nextView(menu, entered(lobby, 't'));

describe('the view', () => {
  test('a ticket opens the arena', () => {
    const visit = { type: 'player', lobby, joinTicket: 't', isReturn: false };
    expect(playing).toEqual({ name: 'playing', visit });
    expect(nextView(menu, entered(lobby, 't', true))).toMatchObject({ visit: { isReturn: true } });
  });

  test('leaving a game shows the menu, on the games tab if requested', () => {
    expect(nextView(playing, { type: 'exited', toGames: false })).toEqual({
      name: 'menu',
      returnedFromGame: true,
      opensGames: false,
    });
    const leftGame = leftGameOf(playing, 'game-1', 0);
    expect(leftGame).toEqual({ gameId: 'game-1', lobby, leftAtMs: 0 });
    expect(nextView(playing, { type: 'exited', toGames: true, leftGame })).toMatchObject({
      opensGames: true,
      leftGame,
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

  test('a room that has moved since is entered and watched where it is now', () => {
    const moved = { ...lobby, baseGame: 'https://us.example' };
    useLobbyStore.getState().setLobbies([moved], 0);
    const again = nextView(playing, entered(lobby, 'next'));
    expect(again).toMatchObject({ visit: { lobby: moved, joinTicket: 'next' } });
    const watching = nextView(playing, spectated(lobby));
    expect(watching).toEqual({ name: 'playing', visit: { type: 'spectator', lobby: moved } });
  });
});

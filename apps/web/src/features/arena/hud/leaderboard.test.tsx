// @vitest-environment happy-dom
import { act } from 'react';
import { expect, test } from 'vitest';
import { render } from '../../../testing/page.ts';
import { createHudStore, HudContext } from './hud-store.ts';
import { PlayerCount } from './leaderboard.tsx';

test('the player count shows its label, the people and seats, and the bots', async () => {
  const hud = createHudStore();
  await render(
    <HudContext value={hud}>
      <PlayerCount maxPlayers={25} />
    </HudContext>,
  );
  const text = () => document.body.textContent;
  expect(text()).toBe('Player Count–/25');
  await act(() => hud.setState({ totalPlayers: 15, totalBots: 14 }));
  expect(text()).toBe('Player Count1/2514 bots');
  await act(() => hud.setState({ totalPlayers: 3, totalBots: 0 }));
  expect(text()).toBe('Player Count3/25');
});

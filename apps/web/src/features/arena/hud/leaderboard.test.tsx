// @vitest-environment happy-dom
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { createHudStore, HudContext } from './hud-store.ts';
import { PlayerCount } from './leaderboard.tsx';

let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root')!);
});
afterEach(() => act(() => root.unmount()));

test('the player count has its label, the people of all seats, and the bots beside them', async () => {
  const hud = createHudStore();
  await act(() =>
    root.render(
      <HudContext value={hud}>
        <PlayerCount maxPlayers={25} />
      </HudContext>,
    ),
  );
  const text = () => document.body.textContent;
  expect(text()).toBe('Player Count–/25');
  await act(() => hud.setState({ totalPlayers: 15, totalBots: 14 }));
  expect(text()).toBe('Player Count1/2514 bots');
  await act(() => hud.setState({ totalPlayers: 3, totalBots: 0 }));
  expect(text()).toBe('Player Count3/25');
});

// @vitest-environment happy-dom
import { act } from 'react';
import { expect, test } from 'vitest';
import { render } from '../../../testing/page.ts';
import { createHudStore, HudContext } from './hud-store.ts';
import { Leaderboard, PlayerCount } from './leaderboard.tsx';

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

test('a row stays that of its player when places change, also among namesakes', async () => {
  const hud = createHudStore();
  const followed: string[] = [];
  const rank = (...names: string[]) =>
    names.map((name, index) => ({ name, position: index + 1, reward: '1.00(x1.00)' }));
  hud.setState({ leaderboard: rank('Ann', 'Wobbles', 'Wobbles', 'Bob'), totalPlayers: 4 });
  await render(
    <HudContext value={hud}>
      <Leaderboard unit="SOL" isByMass={false} ownName="Bob" onFollow={(name) => followed.push(name)} />
    </HudContext>,
  );
  const buttons = () => [...document.querySelectorAll('button')];
  const [ann, wobbles, other, bob] = buttons();
  await act(() => hud.setState({ leaderboard: rank('Bob', 'Wobbles', 'Ann', 'Wobbles') }));
  expect(buttons()).toEqual([bob, wobbles, ann, other]);
  ann!.click();
  expect(followed).toEqual(['Ann']);
});

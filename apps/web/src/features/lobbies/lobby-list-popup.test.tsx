// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { useLobbyStore } from '../../shared/stores/menu-stores.ts';
import { aLobby, FREE } from '../../testing/fixtures.ts';
import { render } from '../../testing/page.ts';
import { LobbyListPopup } from './lobby-list-popup.tsx';

test('a lobby in which only bots play does not look empty', async () => {
  const lobby = aLobby({ ...FREE, isActive: true, currentPlayers: 0, currentBots: 14 });
  useLobbyStore.getState().setLobbies([lobby], Date.now());
  const nothing = () => {};
  await render(
    <LobbyListPopup
      playerName="MoonYolk"
      selected={lobby}
      isConnected
      prices={{}}
      onSelect={nothing}
      onPlay={nothing}
      onClose={nothing}
    />,
  );
  expect(document.querySelector('[role="dialog"]')?.textContent).toContain('14 bots');
});

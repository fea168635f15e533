// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { useGatheringStore } from '../../shared/stores/gathering-store.ts';
import { useLobbyStore } from '../../shared/stores/menu-stores.ts';
import { measureWays } from '../../shared/ways.ts';
import { aLobby } from '../../testing/fixtures.ts';
import { render } from '../../testing/page.ts';
import { GatheringCard } from './gathering-card.tsx';

test('the card says where the lobby is and how far, where there is a choice', async () => {
  const [near, far] = [aLobby({ id: 'near', region: 'eu' }), aLobby({ id: 'far', region: 'us' })];
  useLobbyStore.getState().setLobbies([near, far], Date.now());
  await measureWays(
    [near],
    () => '',
    async () => 21,
  );
  useGatheringStore.getState().set({ state: 'waiting', lobbyId: near.id });
  await render(<GatheringCard place="menu" onPay={() => {}} />);
  const card = document.querySelector('section')?.textContent;
  expect(card).toContain(`Waiting for one more player in ${near.name}`);
  expect(card).toContain('eu, 21 ms');
});

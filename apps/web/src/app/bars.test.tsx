// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { expect, test } from 'vitest';
import { useChatStore } from '../features/chat/chat-store.ts';
import { useLobbyStore } from '../shared/stores/menu-stores.ts';
import { aLobby } from '../testing/fixtures.ts';
import { render } from '../testing/page.ts';
import { Footer, TopBar } from './bars.tsx';

async function linksOf(links: { docs: string; social: string | null; chat: string | null }) {
  const client = new QueryClient();
  client.setQueryData(['config'], { links });
  await render(
    <QueryClientProvider client={client}>
      <Footer />
    </QueryClientProvider>,
  );
  return [...document.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
}

test('the footer leads to the documentation, the social account and the chat', async () => {
  expect(await linksOf({ docs: '/docs', social: 'https://s.example', chat: 'https://c.example' })).toEqual([
    ['Solvency', '/solvency'],
    ['Fair play', '/integrity'],
    ['How to play', '/how-to-play'],
    ['Docs', '/docs'],
    ['Follow on X', 'https://s.example'],
    ['Telegram chat', 'https://c.example'],
  ]);
  expect(document.body.textContent).toContain('©');
});

test('a link that the operator has not set is not shown', async () => {
  expect((await linksOf({ docs: '/docs', social: null, chat: null })).length).toBe(4);
});

test('the top bar says nothing of players and pools while no lobby is heard of, or that there is no connection', async () => {
  const bar = (
    <TopBar
      user={null}
      onGuide={() => {}}
      onSettings={() => {}}
      onConnect={() => {}}
      onDisconnect={() => {}}
    />
  );
  const { setLobbies } = useLobbyStore.getState();
  setLobbies([aLobby({ isActive: true })], Date.now());
  await render(bar);
  expect(document.body.textContent).toContain('6 playing now');
  await act(() => setLobbies([aLobby({ isActive: true })], Date.now() - 60_000));
  expect(document.body.textContent).not.toContain('playing now');
  expect(document.body.textContent).toContain('No connection. Trying again...');
  await act(() => useChatStore.setState({ isLive: true }));
  expect(document.body.textContent).not.toContain('No connection');
});

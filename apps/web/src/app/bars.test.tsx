// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { Footer } from './bars.tsx';

let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root')!);
});
afterEach(() => act(() => root.unmount()));

async function linksOf(links: { docs: string; social: string | null; chat: string | null }) {
  const client = new QueryClient();
  client.setQueryData(['config'], { links });
  await act(() =>
    root.render(
      <QueryClientProvider client={client}>
        <Footer />
      </QueryClientProvider>,
    ),
  );
  return [...document.querySelectorAll('a')].map((link) => [link.textContent, link.getAttribute('href')]);
}

test('the footer leads to the documentation, the social account and the chat', async () => {
  expect(await linksOf({ docs: '/docs', social: 'https://s.example', chat: 'https://c.example' })).toEqual([
    ['Solvency', '/solvency'],
    ['Docs', '/docs'],
    ['Follow on X', 'https://s.example'],
    ['Telegram chat', 'https://c.example'],
  ]);
  expect(document.body.textContent).toContain('©');
});

test('a link that the operator has not set is not shown', async () => {
  expect((await linksOf({ docs: '/docs', social: null, chat: null })).length).toBe(2);
});

// @vitest-environment happy-dom
import type { User } from '@engulf/protocol/user';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { expect, onTestFinished, test, vi } from 'vitest';
import { aUser } from '../../testing/fixtures.ts';
import { render } from '../../testing/page.ts';
import { useUser } from './queries.ts';

test('a profile that could not be read is requested until the server is back', async () => {
  vi.useFakeTimers();
  onTestFinished(() => void vi.useRealTimers());
  const fetchMock = vi.fn(async () => new Response('', { status: 502 }));
  vi.stubGlobal('fetch', fetchMock);
  const client = new QueryClient({ defaultOptions: { queries: { retry: 1 } } });
  let user: User | null | undefined;
  function Probe() {
    user = useUser();
    return null;
  }
  await render(
    <QueryClientProvider client={client}>
      <Probe />
    </QueryClientProvider>,
  );
  const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
  await wait(10_000);
  expect(user).toBeUndefined();
  fetchMock.mockImplementation(async () => Response.json({ status: 'success', user: aUser() }));
  await wait(10_000);
  expect(user).toMatchObject({ name: 'MoonYolk' });
  const asked = fetchMock.mock.calls.length;
  await wait(60_000);
  expect(fetchMock).toHaveBeenCalledTimes(asked);
});

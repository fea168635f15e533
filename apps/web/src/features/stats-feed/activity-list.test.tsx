// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { expect, test, vi } from 'vitest';
import { render } from '../../testing/page.ts';
import { ActivityList } from './activity-list.tsx';

test('a list that was empty stays so while the server is away', async () => {
  const fetchMock = vi.fn<typeof fetch>();
  vi.stubGlobal('fetch', fetchMock);
  fetchMock.mockImplementation(async () =>
    Response.json({ status: 'success', data: { data: [], currentPage: 1, lastPage: 1 } }),
  );
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await render(
    <QueryClientProvider client={client}>
      <ActivityList onVerify={() => {}} />
    </QueryClientProvider>,
  );
  await vi.waitFor(() => expect(document.body.textContent).toContain('No game has ended yet.'));
  fetchMock.mockRejectedValue(new TypeError('Failed to fetch'));
  await act(() => client.refetchQueries());
  expect(client.getQueryState(['activity'])?.status).toBe('error');
  expect(document.body.textContent).toContain('No game has ended yet.');
});

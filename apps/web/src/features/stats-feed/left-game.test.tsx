// @vitest-environment happy-dom
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aLobby } from '../../testing/fixtures.ts';
import { button, render } from '../../testing/page.ts';
import { GamesList } from './games-list.tsx';

const gameId = '4998132e-0000-4000-8000-000000000000';
const refund = {
  _id: 'row-1',
  gameId,
  matchId: null,
  createdAt: new Date(0).toISOString(),
  isRefund: true,
  amount: '47500000',
  amountText: '0.0475',
  tokenSymbol: 'SOL',
  tokenDecimals: 9,
  usdText: null,
  status: 'completed',
  waitsFor: null,
  txnHash: '5'.repeat(88),
};
let rows: object[] = [];
let isAnswering = true;

beforeEach(() => {
  vi.useFakeTimers();
  isAnswering = true;
  vi.stubGlobal('fetch', async () =>
    isAnswering
      ? Response.json({ status: 'success', data: { data: rows, currentPage: 1, lastPage: 1 } })
      : new Response('', { status: 502 }),
  );
});
afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllGlobals();
});

let note = '';
async function listAfterLeaving() {
  const client = new QueryClient({ defaultOptions: { queries: { retry: false } } });
  await render(
    <QueryClientProvider client={client}>
      <GamesList
        explorerUrl={null}
        leftGame={{ gameId, lobby: aLobby(), leftAtMs: Date.now() }}
        onNote={(text) => {
          note = text;
        }}
        onVerify={() => {}}
      />
    </QueryClientProvider>,
  );
  await wait(100);
}
const wait = (ms: number) => act(() => vi.advanceTimersByTimeAsync(ms));
const isAwaited = () => document.body.textContent!.includes('then your refund is sent');
const isPaid = () => document.body.textContent!.includes('0.0475');

test('a refund is announced until it is listed', async () => {
  rows = [];
  await listAfterLeaving();
  expect(isAwaited()).toBe(true);
  rows = [refund];
  await wait(10_000);
  expect(isPaid()).toBe(true);
  expect(isAwaited()).toBe(false);
});

test('a refund that is listed already is not announced as another one', async () => {
  rows = [refund];
  await listAfterLeaving();
  expect(isPaid()).toBe(true);
  expect(isAwaited()).toBe(false);
});

test('a body that was eaten before it could leave has no refund', async () => {
  rows = [];
  await listAfterLeaving();
  await wait(65_000);
  expect(isAwaited()).toBe(false);
});

test('a list that could not be loaded says so, asks again, and shows the refund once the server is back', async () => {
  isAnswering = false;
  rows = [refund];
  await listAfterLeaving();
  await wait(50_000);
  expect(document.body.textContent).toContain('is on record and is sent as soon as it is back');
  expect(button('Try again')).toBeDefined();
  isAnswering = true;
  await wait(5_000);
  expect(isPaid()).toBe(true);
});

test('the note promises to refresh only as long as it does', async () => {
  rows = [{ ...refund, status: 'pending', txnHash: null }];
  await listAfterLeaving();
  expect(note).toContain('Refreshing every 5 s');
  await wait(125_000);
  expect(note).toBe('Some payouts are still on their way');
});

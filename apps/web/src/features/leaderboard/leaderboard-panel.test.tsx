// @vitest-environment happy-dom
import type { MenuLeaderboard } from '@engulf/protocol/menu/leaderboard';
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { useLeaderboardStore } from '../../shared/stores/menu-stores.ts';
import { aUser } from '../../testing/fixtures.ts';
import { render, unmount } from '../../testing/page.ts';
import { LeaderboardPanel } from './leaderboard-panel.tsx';

const onRequest = vi.fn();

beforeEach(() => {
  vi.useFakeTimers();
  useLeaderboardStore.setState({ boards: {} });
});
afterEach(() => {
  vi.useRealTimers();
  vi.clearAllMocks();
});

const open = () => render(<LeaderboardPanel user={aUser({ id: 'u2' })} onRequest={onRequest} />);
const requests = () => onRequest.mock.calls.map(([period]) => period);
const rows = () => [...document.querySelectorAll('li')];
const fill = (period: '1d' | '7d', board: MenuLeaderboard) =>
  act(() => useLeaderboardStore.getState().setBoard(period, board));

function winner(id: string, lamports: string): MenuLeaderboard[number] {
  return {
    _id: id,
    player: { name: `name of ${id}`, avatarUrl: null },
    totalWinningAmount: lamports,
    totalWinningText: '',
  } as MenuLeaderboard[number];
}

/** Radix opens a tab when the mouse goes down on it. */
async function choose(tab: string): Promise<void> {
  const trigger = [...document.querySelectorAll('[role=tab]')].find(
    ({ textContent }) => textContent === tab,
  )!;
  await act(() => trigger.dispatchEvent(new MouseEvent('mousedown', { bubbles: true, button: 0 })));
}

test('the last seven days are asked for at once and every half a minute, until the panel is gone', async () => {
  await open();
  expect(requests()).toEqual(['7d']);
  await act(() => vi.advanceTimersByTime(60_000));
  expect(requests()).toEqual(['7d', '7d', '7d']);
  await unmount();
  vi.advanceTimersByTime(60_000);
  expect(requests()).toHaveLength(3);
});

test('another period is asked for instead when its tab is opened', async () => {
  await open();
  await choose('1D');
  expect(requests()).toEqual(['7d', '1d']);
  await act(() => vi.advanceTimersByTime(30_000));
  expect(requests()).toEqual(['7d', '1d', '1d']);
});

test('each period shows its own winners', async () => {
  await open();
  await fill('7d', [winner('u1', '3000000000')]);
  await fill('1d', [winner('u3', '1000000000'), winner('u4', '500000000')]);
  expect(rows().map(({ textContent }) => textContent)).toEqual([expect.stringContaining('name of u1')]);
  await choose('1D');
  expect(rows()).toHaveLength(2);
});

test('winners stand in the order of the server, with ranks, medals for three, and amounts in SOL', async () => {
  await open();
  await fill(
    '7d',
    ['u1', 'u2', 'u3', 'u4', 'u5'].map((id, index) => winner(id, String((5 - index) * 1_500_000_000))),
  );
  expect(rows().map((row) => /name of (u\d)/.exec(row.textContent!)![1])).toEqual([
    'u1',
    'u2',
    'u3',
    'u4',
    'u5',
  ]);
  expect(rows()[0]!.textContent).toContain('7.500SOL');
  expect(rows()[4]!.textContent).toMatch(/^5.*1\.500SOL$/);
  const hasRankInDigits = rows().map((row) => row.firstElementChild!.childElementCount === 0);
  expect(hasRankInDigits).toEqual([false, false, false, true, true]);
});

test('the own row, and no other, is marked', async () => {
  await open();
  await fill('7d', [winner('u1', '2'), winner('u2', '1')]);
  expect(rows().map(({ textContent }) => textContent!.includes('you'))).toEqual([false, true]);
});

test('a period that has not arrived yet is loading, one without winners says so', async () => {
  await open();
  expect(document.body.textContent).not.toContain('Nobody has cashed out yet');
  await fill('7d', []);
  expect(document.body.textContent).toContain('Nobody has cashed out yet');
});

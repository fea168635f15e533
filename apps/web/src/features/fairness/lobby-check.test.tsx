// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { render } from '../../testing/page.ts';
import { LobbyCheck } from './lobby-check.tsx';
import type { LobbyCheckAnswer } from './lobby-messages.ts';

/** What runs in this worker is tested in packages/verify. */
class SilentWorker {
  static readonly started: SilentWorker[] = [];
  readonly postMessage = vi.fn();
  readonly terminate = vi.fn();
  onmessage: ((event: { data: LobbyCheckAnswer }) => void) | undefined;

  constructor() {
    SilentWorker.started.push(this);
  }
}

beforeEach(() => {
  SilentWorker.started.length = 0;
  vi.stubGlobal('Worker', SilentWorker);
});
afterEach(() => vi.unstubAllGlobals());

const answer = (data: LobbyCheckAnswer) => act(() => SilentWorker.started[0]!.onmessage!({ data }));
const status = () => document.querySelector('[role=status]')!.textContent;
const press = () => act(async () => document.querySelector<HTMLButtonElement>('form button')!.click());
const figures = { matches: 2, joins: 1, paidIn: 5n, payouts: 2, paidOut: 4n, gifts: 0n, pool: 1n };

test('a lobby is checked when somebody asks, and goes on with the same worker', async () => {
  await render(<LobbyCheck lobby={{ lobbyId: 'l1', tokenSymbol: 'SOL', tokenDecimals: 0 }} />);
  expect(SilentWorker.started).toHaveLength(0);
  await press();
  await answer({ type: 'progress', what: 'transactions', done: 3, of: 1_200 });
  expect(status()).toBe('3 of 1,200 transactions read');
  await answer({ type: 'failed' });
  expect(status()).toContain('What was read is kept');
  await press();
  expect(SilentWorker.started).toHaveLength(1);
  expect(SilentWorker.started[0]!.postMessage).toHaveBeenCalledTimes(2);
  await answer({ type: 'done', audit: { wrong: [], open: [], figures } });
  expect(status()).toBe(
    'It adds up, to the last unit.5 SOL came in with 1 payment, 4 SOL went out with 2 payouts.',
  );
  await answer({ type: 'done', audit: { wrong: ['5 SOL left the pool'], open: [], figures } });
  expect(status()).toContain('It does not add up.');
  expect(status()).toContain('5 SOL left the pool');
});

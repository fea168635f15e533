// @vitest-environment happy-dom
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { QueryClient, QueryClientProvider } from '@tanstack/react-query';
import { act } from 'react';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { aLobby, aUser, FREE } from '../../../testing/fixtures.ts';
import { press, render, unmount } from '../../../testing/page.ts';
import { createArenaEvents } from '../net/events.ts';
import { EndOfGame } from './end-of-game.tsx';
import { keepLifeRecord } from './life-record.ts';
import { netOf } from './secured-popup.tsx';

/** The popup waits this long at most. */
const HOLD_MS = 800;
const callbacks = { onExit: vi.fn(), onPlayAgain: vi.fn(), onSpectate: vi.fn() };

beforeEach(() => {
  vi.useFakeTimers();
  vi.stubGlobal('fetch', () => Promise.reject(new Error('no server here')));
  HTMLImageElement.prototype.decode = () => Promise.reject(new Error('no pictures here'));
});

afterEach(() => {
  vi.clearAllMocks();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

async function play(lobby = aLobby()) {
  const events = createArenaEvents();
  const visit = { type: 'player', lobby, joinTicket: 't' } as const;
  const life = keepLifeRecord(events);
  const client = new QueryClient();
  client.setQueryData(['config'], { links: { docs: 'https://docs.example' } });
  await render(
    <QueryClientProvider client={client}>
      <EndOfGame
        events={events}
        life={life}
        avatarOf={(name) => (name === 'gulpzilla' ? '/avatars/gulpzilla.png' : null)}
        visit={visit}
        user={aUser()}
        gameUrl={null}
        tabHiddenTimeoutMs={10_000}
        virusDepthMass={130}
        renderDeath={(killer, onClose) =>
          onClose && <button type="button" onClick={onClose}>{`eyes of ${killer}`}</button>
        }
        {...callbacks}
      />
    </QueryClientProvider>,
  );
  const end = async (
    cause: RoomServerPayload<'gameOver'>['cause'],
    reward = '0.342(x3.42)',
    killer: string | null = null,
  ) => {
    await act(() =>
      events.publish({
        type: 'gameOver',
        payload: { stats: { reward, finalMass: 2184, usdValue: '$48.77' }, cause, killer },
      }),
    );
    await act(() => vi.advanceTimersByTimeAsync(HOLD_MS));
  };
  return { events, end, life };
}

const text = () => document.body.textContent;

test('nothing is shown while the game runs', async () => {
  const { events } = await play();
  await act(() => events.publish({ type: 'split', cellCount: 2 }));
  expect(text()).toBe('');
});

test('an eaten player may replay the last seconds from the view of the killer', async () => {
  const { end } = await play();
  await end('eaten', '0', 'gulpzilla');
  await press('Watch how you died');
  expect(text()).toBe('eyes of gulpzilla');
  await press('eyes of gulpzilla');
  expect(text()).toContain('your dot got annihilated.');
});

test('an eaten player is told what happened and what would have helped', async () => {
  const { end, life } = await play();
  const cell = (id: number, name: string, mass: number) => ({ kind: 'cell', mass, player: { id, name } });
  life.witness.note([cell(1, 'me', 40), cell(2, 'gulpzilla', 2_280)], 1, 0);
  await end('eaten', '0', 'gulpzilla');
  expect(text()).toContain('Swallowed by gulpzilla, 57 times your mass. Giants are slow');
});

test('an eaten player sees the face of the eater as it was in the arena', async () => {
  const { end } = await play();
  await end('eaten', '0', 'gulpzilla');
  expect(document.querySelector('dd img')!.getAttribute('src')).toBe('/avatars/gulpzilla.png');
});

test('an eaten player may play again or spectate', async () => {
  const { end } = await play();
  await end('eaten');
  expect(text()).toContain('your dot got annihilated.');
  await press('Spectate');
  await press('Play Again');
  expect(callbacks.onSpectate).toHaveBeenCalledOnce();
  expect(callbacks.onPlayAgain).toHaveBeenCalledOnce();
});

test('a player who left through a portal sees reward and multiplier', async () => {
  const { end } = await play();
  await end('portal');
  expect(text()).toContain('You have successfully exited through the portal');
  expect(text()).toContain('x3.42');
  expect(text()).toContain('+0.342 SOL');
});

test('a disconnected player is led to the refund, and not in a free lobby', async () => {
  const paid = await play();
  await paid.end('disconnected');
  await press('View Refund');
  expect(callbacks.onExit).toHaveBeenCalledExactlyOnceWith('games');
  await unmount();
  const free = await play(aLobby(FREE));
  await free.end('disconnected');
  expect(text()).not.toContain('refund');
});

test('a player whose tab was hidden is told so, not that the network failed', async () => {
  for (const lobby of [aLobby(), aLobby(FREE)]) {
    const { events } = await play(lobby);
    await act(() => events.publish({ type: 'disconnected', wasHidden: true }));
    await act(() => vi.advanceTimersByTimeAsync(100));
    expect(text()).toContain('its tab was hidden for too long');
    expect(text()).not.toContain('network issues');
    await unmount();
  }
});

test('the arena stays in sight for a moment after a death', async () => {
  const { events } = await play();
  const payload = {
    stats: { reward: '0', finalMass: 40, usdValue: null },
    cause: 'eaten',
    killer: null,
  } as const;
  await act(() => events.publish({ type: 'gameOver', payload }));
  await act(() => vi.advanceTimersByTimeAsync(700));
  expect(text()).toBe('');
  await act(() => vi.advanceTimersByTimeAsync(100));
  expect(text()).toContain('REKT');
});

test('a death tells what the life was like', async () => {
  const { events, end } = await play();
  const payload = { victim: 'Gnasher', killType: 'eaten', reward: '0.038(x0.76)', timestamp: 0 } as const;
  await act(() => events.publish({ type: 'KO', payload }));
  await end('eaten');
  expect(text()).toContain('Eaten1');
  expect(text()).toContain('0.038');
});

test('Enter plays again, but not a key that was meant for the arena', async () => {
  const { end } = await play();
  await end('eaten');
  const press = () =>
    act(() =>
      document
        .querySelector('[role="dialog"]')!
        .dispatchEvent(new KeyboardEvent('keydown', { key: 'Enter', bubbles: true })),
    );
  await press();
  expect(callbacks.onPlayAgain).not.toHaveBeenCalled();
  await act(() => vi.advanceTimersByTimeAsync(500));
  await press();
  expect(callbacks.onPlayAgain).toHaveBeenCalledOnce();
});

test('a reward below the entry fee is not shown as a gain', async () => {
  const { end } = await play(aLobby({ fee: '0.05', entryFee: '50000000' }));
  await end('portal', '0.047(x0.95)');
  expect(text()).toContain('−0.003 SOL after the fee');
  expect(document.querySelector('[data-gain="true"]')).toBeNull();
});

test('less play money than one began with is not shown as a profit either', async () => {
  const { end } = await play(aLobby(FREE));
  await end('portal', '0.80(x0.80)');
  expect(text()).toContain('You got back');
  expect(text()).not.toContain('+0.80');
});

test('play money is called so', async () => {
  const { end } = await play(aLobby(FREE));
  await end('portal');
  expect(text()).toContain('play money');
});

test.each([
  ['0.342', '100000000', '+0.242 SOL'],
  ['0.047', '50000000', '−0.003 SOL'],
  ['0.05', '52500000', '−0.0025 SOL'],
  ['1.000', '0', undefined],
])('%s after a fee of %s lamports is %s', (amount, entryFee, net) => {
  expect(netOf(amount, aLobby({ entryFee }))?.text).toBe(net);
});

/** What the server knows of finished games, newest first. */
function serveGames(own: readonly object[], all: readonly object[] = []) {
  const rowsPerPage = 20;
  vi.stubGlobal('fetch', async (url: string) => {
    const rows = url.includes('list_activity') ? all : own;
    const currentPage = Number(new URL(url, 'http://page').searchParams.get('page'));
    const data = rows.slice((currentPage - 1) * rowsPerPage, currentPage * rowsPerPage);
    const lastPage = Math.max(1, Math.ceil(rows.length / rowsPerPage));
    return Response.json({ status: 'success', data: { data, currentPage, lastPage } });
  });
}

const money = { amount: '95000000', amountText: '0.095', tokenSymbol: 'SOL', matchId: null };
const payoutOf = (gameId: string, isRefund: boolean) => ({
  ...money,
  _id: `payout-${gameId}`,
  gameId,
  isRefund,
  createdAt: new Date().toISOString(),
  usdText: '$13.50',
  status: 'completed',
  waitsFor: null,
  txnHash: null,
});

describe('a player who is cut off', () => {
  async function cutOff(gameId: string | undefined) {
    const { events } = await play();
    const payload = { gameId } as RoomServerPayload<'welcome'>;
    await act(() => events.publish({ type: 'welcome', payload }));
    await act(() => events.publish({ type: 'disconnected', wasHidden: false }));
    // The popup opens, then it asks.
    await act(() => vi.advanceTimersByTimeAsync(0));
    await act(() => vi.advanceTimersByTimeAsync(100));
  }

  test('sees the refund of this game, and not that of the one before', async () => {
    serveGames([payoutOf('before', true)]);
    await cutOff('this');
    expect(text()).toContain('Your refund is processing...');
    expect(text()).toContain('Final refund amount is subject to change based on player mass.');
    expect(document.querySelector('a')!.href).toMatch(/\/how-to-play$/);
    serveGames([payoutOf('this', true), payoutOf('before', true)]);
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(text()).toContain('0.095 SOL paid');
    expect(text()).not.toContain('subject to change');
  });

  test('after a portal sees the cash-out', async () => {
    serveGames([payoutOf('this', false)]);
    await cutOff('this');
    expect(text()).toContain('Bag Secured');
    expect(text()).toContain('You got back0.095 SOL');
    expect(text()).not.toContain('Final mass');
  });

  test('after being eaten sees that', async () => {
    const playerId = { name: 'me' };
    const createdAt = new Date().toISOString();
    serveGames(
      [payoutOf('before', true)],
      [{ ...money, _id: 'this', playerId, finalStatus: 'killed', createdAt }],
    );
    await cutOff('this');
    expect(text()).toContain('REKT');
  });

  test('after being eaten sees that although many others have ended since', async () => {
    const row = { ...money, playerId: { name: 'me' }, finalStatus: 'killed' };
    const createdAt = new Date().toISOString();
    const others = Array.from({ length: 50 }, (_, nth) => ({ ...row, _id: `other-${nth}`, createdAt }));
    serveGames([], [...others, { ...row, _id: 'this', createdAt }]);
    await cutOff('this');
    expect(text()).toContain('REKT');
  });

  test('from a game without an id sees the refund that comes now', async () => {
    const old = { ...payoutOf('old', true), createdAt: new Date(Date.now() - 3_600_000).toISOString() };
    serveGames([payoutOf('other', false), old]);
    await cutOff(undefined);
    expect(text()).toContain('Your refund is processing...');
    serveGames([payoutOf('other', false), payoutOf('this', true), old]);
    await act(() => vi.advanceTimersByTimeAsync(3_100));
    expect(text()).toContain('0.095 SOL paid');
  });
});

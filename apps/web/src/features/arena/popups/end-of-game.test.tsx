// @vitest-environment happy-dom
import type { RoomServerPayload } from '@engulf/protocol/room/server-messages';
import { act } from 'react';
import { createRoot, type Root } from 'react-dom/client';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aLobby, aUser, FREE } from '../../../testing/fixtures.ts';
import { createArenaEvents } from '../net/events.ts';
import { EndOfGame } from './end-of-game.tsx';

const callbacks = { onExit: vi.fn(), onPlayAgain: vi.fn(), onSpectate: vi.fn() };
let root: Root;

beforeEach(() => {
  vi.stubGlobal('IS_REACT_ACT_ENVIRONMENT', true);
  HTMLImageElement.prototype.decode = () => Promise.reject(new Error('no pictures here'));
  document.body.innerHTML = '<div id="root"></div>';
  root = createRoot(document.getElementById('root')!);
});

afterEach(async () => {
  await act(() => root.unmount());
  vi.clearAllMocks();
});

async function play(lobby = aLobby()) {
  const events = createArenaEvents();
  const visit = { type: 'player', lobby, joinTicket: 't' } as const;
  await act(() =>
    root.render(<EndOfGame events={events} visit={visit} user={aUser()} gameUrl={null} {...callbacks} />),
  );
  const end = (cause: RoomServerPayload<'gameOver'>['cause']) =>
    act(() =>
      events.publish({
        type: 'gameOver',
        payload: { stats: { reward: '0.342(x3.42)', finalMass: 2184, usdValue: '$48.77' }, cause },
      }),
    );
  return { events, end };
}

const text = () => document.body.textContent;

async function click(label: string) {
  const buttons = [...document.querySelectorAll('button')];
  await act(() => buttons.find(({ textContent }) => textContent === label)!.click());
}

test('nothing is shown while the game runs', async () => {
  const { events } = await play();
  await act(() => events.publish({ type: 'split', cellCount: 2 }));
  expect(text()).toBe('');
});

test('an eaten player may play again or spectate', async () => {
  const { end } = await play();
  await end('eaten');
  expect(text()).toContain('your dot got annihilated.');
  await click('Spectate');
  await click('Play Again');
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
  await click('View Refund');
  expect(callbacks.onExit).toHaveBeenCalledExactlyOnceWith('games');
  await act(() => root.unmount());
  root = createRoot(document.getElementById('root')!);
  const free = await play(aLobby(FREE));
  await free.end('disconnected');
  expect(text()).not.toContain('refund');
});

// @vitest-environment happy-dom
import { act } from 'react';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { aLobby, FREE } from '../../../testing/fixtures.ts';
import { button, press, render } from '../../../testing/page.ts';
import type { ArenaVisit } from '../arena-visit.ts';
import { createHudStore, HudContext } from './hud-store.ts';
import { LoadingOverlay } from './overlays.tsx';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

const player: ArenaVisit = { type: 'player', lobby: aLobby(), joinTicket: 'ticket' };
const SEAT_KEPT = 'Your paid seat is kept';

async function load(visit: ArenaVisit, waitMs = 6_000) {
  const hud = createHudStore();
  const onBack = vi.fn();
  await render(
    <HudContext value={hud}>
      <LoadingOverlay visit={visit} onBack={onBack} />
    </HudContext>,
  );
  await act(() => vi.advanceTimersByTimeAsync(waitMs));
  return { hud, onBack };
}

test('a game that loads in the usual time is not interrupted by a way back', async () => {
  await load(player, 3_000);
  expect(button('Back to menu')).toBeUndefined();
});

test('a player who waits for long may go back, and hears that the paid seat is kept', async () => {
  const { onBack } = await load(player);
  expect(document.body.textContent).toContain(SEAT_KEPT);
  await press('Back to menu');
  expect(onBack).toHaveBeenCalledOnce();
});

test.each([
  ['a free lobby', { ...player, lobby: aLobby(FREE) }],
  ['a body that waits in the arena', { ...player, isReturn: true }],
  ['a spectator', { type: 'spectator', lobby: aLobby() }],
] as const)('nothing is said of a seat for %s', async (_, visit) => {
  await load(visit);
  expect(button('Back to menu')).toBeDefined();
  expect(document.body.textContent).not.toContain(SEAT_KEPT);
});

test('once a player has joined there is no way back: the body is about to enter the arena', async () => {
  const { hud } = await load(player);
  await act(() => hud.setState({ isJoined: true }));
  expect(button('Back to menu')).toBeUndefined();
});

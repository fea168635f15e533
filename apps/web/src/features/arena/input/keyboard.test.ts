// @vitest-environment happy-dom
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import { keepFocusInArena, listenToKeys } from './keyboard.ts';

let stop = () => {};
beforeEach(() => vi.useFakeTimers());
afterEach(() => {
  stop();
  document.body.innerHTML = '';
  vi.useRealTimers();
});

function press(code: string, init: KeyboardEventInit = {}, target: EventTarget = document.body): void {
  target.dispatchEvent(new KeyboardEvent('keydown', { code, bubbles: true, ...init }));
}

test('a key calls the handler of its action', () => {
  const split = vi.fn();
  stop = listenToKeys('player', { split });
  press('Space');
  press('KeyL');
  expect(split).toHaveBeenCalledOnce();
});

test('a key of another role does nothing', () => {
  const split = vi.fn();
  stop = listenToKeys('spectator', { split });
  press('Space');
  expect(split).not.toHaveBeenCalled();
});

test('ejecting repeats while the key is held', () => {
  const eject = vi.fn();
  stop = listenToKeys('player', { eject });
  press('KeyW');
  press('KeyW', { repeat: true });
  vi.advanceTimersByTime(400);
  expect(eject).toHaveBeenCalledTimes(4);
  window.dispatchEvent(new KeyboardEvent('keyup', { code: 'KeyW' }));
  vi.advanceTimersByTime(1_000);
  expect(eject).toHaveBeenCalledTimes(4);
});

test('a held key stops repeating when the player dies', () => {
  let isAlive = true;
  const eject = vi.fn();
  stop = listenToKeys('player', { eject }, () => isAlive);
  press('KeyW');
  isAlive = false;
  vi.advanceTimersByTime(1_000);
  expect(eject).toHaveBeenCalledOnce();
});

test('typing into a field and browser shortcuts are left alone', () => {
  const leaderboard = vi.fn();
  stop = listenToKeys('player', { leaderboard });
  document.body.innerHTML = '<input />';
  press('KeyL', {}, document.querySelector('input')!);
  press('KeyL', { ctrlKey: true });
  expect(leaderboard).not.toHaveBeenCalled();
});

test('Tab stays in the arena, and walks on from a field or a dialog', () => {
  stop = keepFocusInArena();
  document.body.innerHTML = '<input>';
  const tab = () => new KeyboardEvent('keydown', { code: 'Tab', bubbles: true, cancelable: true });
  const [inArena, inField] = [tab(), tab()];
  document.body.dispatchEvent(inArena);
  document.querySelector('input')!.dispatchEvent(inField);
  expect([inArena.defaultPrevented, inField.defaultPrevented]).toEqual([true, false]);
});

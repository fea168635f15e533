// @vitest-environment happy-dom
import { afterEach, expect, test, vi } from 'vitest';
import { restOnLeave } from './cursor-leave.ts';

let stop = () => {};
const onMove = vi.fn();
window.addEventListener('pointermove', onMove);
afterEach(() => {
  stop();
  onMove.mockClear();
});

function leave(movesOn: boolean, to: EventTarget | null): void {
  stop = restOnLeave(document.body, () => movesOn);
  document.dispatchEvent(new MouseEvent('mouseout', { relatedTarget: to }));
}

test('the pointer goes to the middle when it leaves the window', () => {
  leave(false, null);
  expect(onMove).toHaveBeenCalledOnce();
});

test('it stays where it was for a player who wants to move on, and within the page', () => {
  leave(true, null);
  leave(false, document.body);
  expect(onMove).not.toHaveBeenCalled();
});

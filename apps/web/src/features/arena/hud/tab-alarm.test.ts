// @vitest-environment happy-dom
import { expect, test } from 'vitest';
import { createArenaEvents } from '../net/events.ts';
import { raiseTabAlarm } from './tab-alarm.ts';

test('title and icon of a hidden tab count down, and calm down afterwards', () => {
  document.head.innerHTML = '<title>Engulf</title><link rel="icon" href="/mark.svg" />';
  const icon = document.querySelector('link')!;
  const calmIcon = icon.href;
  const events = createArenaEvents();
  const stop = raiseTabAlarm(events);
  const count = (kind: 'hidden' | 'lost', secondsLeft: number) =>
    events.publish({ type: 'countdown', countdown: { kind, secondsLeft } });
  count('hidden', 9);
  expect(document.title).toContain('9');
  expect(icon.href).not.toBe(calmIcon);
  events.publish({ type: 'countdown', countdown: undefined });
  expect([document.title, icon.href]).toEqual(['Engulf', calmIcon]);
  count('hidden', 7);
  events.publish({ type: 'gameOver', payload: {} as never });
  expect([document.title, icon.href]).toEqual(['Engulf', calmIcon]);
  count('hidden', 3);
  stop();
  expect([document.title, icon.href]).toEqual(['Engulf', calmIcon]);
});

import { expect, test, vi } from 'vitest';
import { type ArenaEvent, createArenaEvents, readRoomMessage } from './events.ts';

const joined: ArenaEvent = { type: 'joined' };

test('every subscriber gets every event, in order, until it unsubscribes', () => {
  const events = createArenaEvents();
  const first = vi.fn();
  const second = vi.fn();
  const unsubscribe = events.subscribe(first);
  events.subscribe(second);
  events.publish(joined);
  unsubscribe();
  events.publish({ type: 'ejected' });
  expect(first.mock.calls).toEqual([[joined]]);
  expect(second.mock.calls).toEqual([[joined], [{ type: 'ejected' }]]);
});

test('a listener that throws does not stop the stream', () => {
  const report = vi.spyOn(console, 'error').mockReturnValue();
  const events = createArenaEvents();
  const other = vi.fn();
  events.subscribe(() => {
    throw new Error('broken');
  });
  events.subscribe(other);
  events.publish(joined);
  events.publish(joined);
  expect(other).toHaveBeenCalledTimes(2);
  expect(report).toHaveBeenCalledTimes(2);
  report.mockRestore();
});

test('a listener may unsubscribe itself while it is called', () => {
  const events = createArenaEvents();
  const once = vi.fn(() => unsubscribe());
  const unsubscribe = events.subscribe(once);
  const other = vi.fn();
  events.subscribe(other);
  events.publish(joined);
  events.publish(joined);
  expect(once).toHaveBeenCalledOnce();
  expect(other).toHaveBeenCalledTimes(2);
});

test('a room message is read only if it is known and well-formed', () => {
  expect(readRoomMessage('pong', { id: 3 })).toEqual({ type: 'pong', payload: { id: 3 } });
  expect(readRoomMessage('pong', { id: 'three' })).toBeUndefined();
  expect(readRoomMessage('personalRank', { rank: 0, reward: '' })).toBeUndefined();
  expect(readRoomMessage('somethingNew', {})).toBeUndefined();
  expect(readRoomMessage('toString', {})).toBeUndefined();
  expect(readRoomMessage(undefined, {})).toBeUndefined();
});

test('GAME_OVER is another name for gameOver', () => {
  const payload = {
    stats: { reward: '0.1(x1.00)', finalMass: 40, usdValue: null },
    cause: 'eaten',
    killer: 'ann',
  };
  expect(readRoomMessage('GAME_OVER', payload)).toEqual({ type: 'gameOver', payload });
});

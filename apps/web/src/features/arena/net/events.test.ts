import { expect, test, vi } from 'vitest';
import { type ArenaEvent, createArenaEvents, createRoomReader } from './events.ts';

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

test('a change of the leaderboard is read as the leaderboard that it makes, everything else as it is', () => {
  const read = createRoomReader();
  const pong = { type: 'pong', payload: { id: 3 } } as const;
  expect(read(pong)).toBe(pong);
  const change = {
    type: 'leaderboardChange',
    payload: {
      rows: [
        [0, '2'],
        ['bob', '1'],
      ],
      totalPlayers: 2,
      totalBots: 0,
    },
  } satisfies Parameters<typeof read>[0];
  expect(read(change)).toBeUndefined();
  const first = {
    leaderboard: [{ name: 'ann', reward: '1', position: 1 }],
    totalPlayers: 1,
    totalBots: 0,
    poolTotal: '5',
    pool: '5.0',
  };
  expect(read({ type: 'leaderboard', payload: first })).toEqual({ type: 'leaderboard', payload: first });
  expect(read(change)).toEqual({
    type: 'leaderboard',
    payload: {
      ...first,
      totalPlayers: 2,
      leaderboard: [
        { name: 'ann', reward: '2', position: 1 },
        { name: 'bob', reward: '1', position: 2 },
      ],
    },
  });
});

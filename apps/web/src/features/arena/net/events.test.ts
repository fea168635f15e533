import { packPayload } from '@engulf/protocol/room/wire-types';
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

test('a room message is read only if it is known and well-formed', () => {
  const read = createRoomReader();
  expect(read('pong', [3])).toEqual({ type: 'pong', payload: { id: 3 } });
  expect(read('pong', ['three'])).toBeUndefined();
  expect(read('personalRank', [0, ''])).toBeUndefined();
  expect(read('somethingNew', [])).toBeUndefined();
  expect(read('toString', [])).toBeUndefined();
  expect(read(undefined, [])).toBeUndefined();
});

test('GAME_OVER is another name for gameOver', () => {
  const payload = {
    stats: { reward: '0.1(x1.00)', finalMass: 40, usdValue: null },
    cause: 'eaten',
    killer: 'ann',
  } as const;
  const read = createRoomReader();
  expect(read('GAME_OVER', packPayload('gameOver', payload))).toEqual({ type: 'gameOver', payload });
});

test('a change of the leaderboard is read as the leaderboard that it makes', () => {
  const read = createRoomReader();
  const change = packPayload('leaderboardChange', {
    rows: [
      [0, '2'],
      ['bob', '1'],
    ],
    totalPlayers: 2,
    totalBots: 0,
  });
  expect(read('leaderboardChange', change)).toBeUndefined();
  const first = {
    leaderboard: [{ name: 'ann', reward: '1', position: 1 }],
    totalPlayers: 1,
    totalBots: 0,
    poolTotal: '5',
    pool: '5.0',
  };
  expect(read('leaderboard', packPayload('leaderboard', first))).toEqual({
    type: 'leaderboard',
    payload: first,
  });
  expect(read('leaderboardChange', change)).toEqual({
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

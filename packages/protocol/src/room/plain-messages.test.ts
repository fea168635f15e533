import { expect, test } from 'vitest';
import { createPlainMessages, plainTypeOf } from './plain-messages.ts';
import { changeOfLeaderboard, type RoomLeaderboard } from './room-leaderboard.ts';

const first: RoomLeaderboard = {
  leaderboard: [{ name: 'Amy', reward: '0.050(x1.00)', position: 1 }],
  totalPlayers: 1,
  totalBots: 0,
  poolTotal: '50000000',
  pool: '0.050',
};
const second: RoomLeaderboard = {
  ...first,
  leaderboard: [
    { name: 'Bo', reward: '0.060(x1.20)', position: 1 },
    { ...first.leaderboard[0]!, position: 2 },
  ],
  totalPlayers: 2,
};

test('the types of a plain client are the names of messages, and nothing else', () => {
  expect(plainTypeOf('movement')).toBe('movement');
  for (const type of [1, '1', 'nonsense', 'constructor', '__proto__', '', ['split'], undefined]) {
    expect(plainTypeOf(type)).toBeUndefined();
  }
});

test('a plain client gets every leaderboard whole', () => {
  const plain = createPlainMessages();
  const change = changeOfLeaderboard(first, second);
  expect(plain('leaderboardChange', change)).toEqual([]);
  expect(plain('leaderboard', first)).toEqual([['leaderboard', first]]);
  expect(plain('leaderboardChange', change)).toEqual([['leaderboard', second]]);
});

test('a plain client gets the lines of the feed one by one, and everything else as it is', () => {
  const plain = createPlainMessages();
  const lines = [{ type: 'lobby_opened' }, { type: 'lobby_closing' }];
  expect(plain('liveUpdate', lines)).toEqual(lines.map((line) => ['liveUpdate', line]));
  expect(plain('pong', { id: 3 })).toEqual([['pong', { id: 3 }]]);
});

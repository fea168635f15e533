import { expect, test } from 'vitest';
import { changeOfLeaderboard, type RoomLeaderboard } from './room-leaderboard.ts';
import { createTextSpeech, isClientType, readTextFrame, textFrame } from './text-frames.ts';

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

const parsed = (frames: string[]) => frames.map((frame) => JSON.parse(frame) as unknown);

test('a message is its name and its fields', () => {
  expect(readTextFrame('{"type":"movement","x":1,"y":2}')).toEqual({
    type: 'movement',
    body: { x: 1, y: 2 },
  });
  expect(readTextFrame('{"type":"split"}')).toEqual({ type: 'split', body: {} });
});

test.each(['', 'split', '[]', '3', 'null', '{}', '{"type":3}', '{"type":"split"', '['.repeat(4_000)])(
  '%s is no message',
  (text) => {
    expect(readTextFrame(text)).toBeUndefined();
  },
);

test('the types of messages are their names, and nothing else', () => {
  expect(isClientType('movement')).toBe(true);
  for (const type of ['1', 'nonsense', 'constructor', '__proto__', '', 'join']) {
    expect(isClientType(type)).toBe(false);
  }
});

test('what has a type of its own stands in the payload', () => {
  expect(JSON.parse(textFrame('pong', { id: 3 }))).toEqual({ type: 'pong', id: 3 });
  expect(JSON.parse(textFrame('chatMessage', { type: 'player', message: 'hi' }))).toEqual({
    type: 'chatMessage',
    payload: { type: 'player', message: 'hi' },
  });
});

test('every leaderboard is sent whole', () => {
  const speech = createTextSpeech();
  const change = changeOfLeaderboard(first, second)!;
  expect(speech('leaderboardChange', change)).toEqual([]);
  expect(parsed(speech('leaderboard', first))).toEqual([{ type: 'leaderboard', ...first }]);
  expect(parsed(speech('leaderboardChange', change))).toEqual([{ type: 'leaderboard', ...second }]);
});

test('the lines of the feed are sent one by one', () => {
  const lines = [{ type: 'lobby_opened' }, { type: 'lobby_closing' }];
  expect(parsed(createTextSpeech()('liveUpdate', lines))).toEqual(
    lines.map((payload) => ({ type: 'liveUpdate', payload })),
  );
});

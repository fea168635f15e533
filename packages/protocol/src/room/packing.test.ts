import { expect, test } from 'vitest';
import { z } from 'zod';
import { packingOf } from './packing.ts';
import type { RoomServerPayload } from './server-messages.ts';
import { packPayload, unpackPayload } from './wire-types.ts';

const line = {
  id: '7',
  sender: 'ann',
  lobbyId: 'lobby-1',
  user_id: null,
  message: 'hello',
  avatarUrl: null,
  timestamp: 5,
  type: 'player',
} as const;

test('a payload has no names on the wire, and is the same where it is read', () => {
  const rank = { rank: 3, reward: '0.050(x1.00)' };
  expect(packPayload('personalRank', rank)).toEqual([3, '0.050(x1.00)']);
  expect(unpackPayload('personalRank', [3, '0.050(x1.00)'])).toEqual(rank);
  const history = { messages: [line, { ...line, avatarUrl: '/a.webp' }] };
  expect(unpackPayload('chatHistory', packPayload('chatHistory', history))).toEqual(history);
  expect(unpackPayload('matchMoved', packPayload('matchMoved', {}))).toEqual({});
  const way = { joinTicket: 'ticket', baseGame: null };
  expect(unpackPayload('matchMoved', packPayload('matchMoved', way))).toEqual(way);
});

test('constants are left out, and so is what is missing at the end', () => {
  const ko = { victim: 'bob', killType: 'eaten', reward: '1.000(x1.00)', timestamp: 9 } as const;
  expect(packPayload('KO', ko)).toEqual(['bob', '1.000(x1.00)', 9]);
  expect(unpackPayload('KO', packPayload('KO', ko))).toEqual(ko);
});

test('each line of the feed says which kind it is', () => {
  const lines: RoomServerPayload<'liveUpdate'> = [
    { type: 'kill', killerName: 'ann', victimName: 'bob', reward: '1', timestamp: 1 },
    { type: 'cashout', playerName: 'ann', amount: '2', usdValue: null, timestamp: 2 },
    { type: 'lobby_closing', minutesRemaining: 5, timestamp: 3, message: 'soon' },
  ];
  const packed = packPayload('liveUpdate', lines) as unknown[];
  expect(packed[0]).toEqual([0, 'ann', 'bob', '1', 1]);
  expect(unpackPayload('liveUpdate', packed)).toEqual(lines);
});

test('an object inside another may be null', () => {
  const { pack, unpack } = packingOf(
    z.object({ player: z.object({ x: z.number() }).nullable(), y: z.number() }),
  );
  for (const value of [
    { player: null, y: 1 },
    { player: { x: 2 }, y: 1 },
  ]) {
    expect(unpack(pack(value))).toEqual(value);
  }
});

test.each([undefined, null, 3, 'text', {}, { rank: 3, reward: '' }, [], [0, ''], ['3', ''], [3]])(
  '%j is not the rank of anybody',
  (packed) => {
    expect(unpackPayload('personalRank', packed)).toBeUndefined();
  },
);

test.each([[[[99, 'ann', 1]]], [[['kill', 'ann']]], [[[-1]]], [[[]]], [[3]], [3]])(
  '%j is no live feed',
  (packed) => {
    expect(unpackPayload('liveUpdate', packed)).toBeUndefined();
  },
);

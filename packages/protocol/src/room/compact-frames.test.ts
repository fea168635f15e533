import { expect, test } from 'vitest';
import { ROOM_CLIENT_MESSAGES, type RoomClientMessageType } from './client-messages.ts';
import {
  clientFrame,
  clientTypeOf,
  firstFrame,
  firstTypeOf,
  readServerFrame,
  serverFrame,
  serverTypeOf,
} from './compact-frames.ts';
import { FIRST_MESSAGES } from './join.ts';
import { ROOM_SERVER_MESSAGES, type RoomServerMessageType } from './server-messages.ts';
import { ROOM_STATE_MESSAGES } from './state-messages.ts';

const MAX_ONE_BYTE = 127;

test('every message has a number of its own that takes one byte', () => {
  for (const [type, { number }] of Object.entries({ ...ROOM_CLIENT_MESSAGES, ...FIRST_MESSAGES })) {
    const frame = Uint8Array.of(number);
    expect(clientTypeOf(frame) ?? firstTypeOf(frame)).toBe(type);
    expect(number).toBeLessThanOrEqual(MAX_ONE_BYTE);
  }
  for (const [type, { number }] of Object.entries({ ...ROOM_SERVER_MESSAGES, ...ROOM_STATE_MESSAGES })) {
    expect(serverTypeOf(Uint8Array.of(number))).toBe(type);
    expect(number).toBeLessThanOrEqual(MAX_ONE_BYTE);
  }
});

test('what joins is no message to a room, and a message to a room joins nothing', () => {
  expect(clientTypeOf(firstFrame('join', {}))).toBeUndefined();
  expect(firstTypeOf(clientFrame('fullUpdate'))).toBeUndefined();
});

test.each([[[]], [[99]], [[255]], [[128, 1]]])('%j is the frame of no message', (bytes) => {
  const frame = Uint8Array.from(bytes);
  expect(clientTypeOf(frame)).toBeUndefined();
  expect(firstTypeOf(frame)).toBeUndefined();
  expect(serverTypeOf(frame)).toBeUndefined();
});

test('a pointer takes five bytes, a split two', () => {
  expect(clientFrame('movement', { x: 40, y: -8, seq: 3 })).toHaveLength(5);
  expect(clientFrame('split', { seq: 4 })).toEqual(Uint8Array.of(ROOM_CLIENT_MESSAGES.split.number, 4));
});

/** An example of each, so that a message which cannot be packed is noticed here. */
const line = {
  id: '7',
  sender: 'ann',
  lobbyId: 'lobby-1',
  user_id: null,
  message: 'hello',
  avatarUrl: null,
  timestamp: 1_767_225_600_000,
  type: 'player',
} as const;
const people = { totalPlayers: 3, totalBots: 2 };
const pool = { poolTotal: '50000000', pool: '0.050' };
const EXAMPLES: { readonly [Type in RoomServerMessageType]: readonly object[] } = {
  welcome: [
    {
      player: { id: 65_536, name: 'Ann', x: 3_500.25, y: 1, massTotal: 40.5, reward: '1(x1)', admin: false },
      matchId: 'match-1',
      commitment: 'ab'.repeat(32),
      worldSize: 7_000,
      ticksPerSecond: 25,
      isFreeLobby: true,
      isTesting: false,
      tokenSymbol: 'SOL',
      gameId: 'entry-1',
      inputsKey: 'cd'.repeat(32),
      resumeToken: 'token',
    },
  ],
  error: [
    { code: 'RATE_LIMITED', message: 'Slower.' },
    { code: 'INVALID_REQUEST', message: 'No.', about: 'chat' },
  ],
  leaderboard: [{ leaderboard: [{ name: 'Ann', reward: '1', position: 1 }], ...people, ...pool }],
  leaderboardChange: [
    { rows: [0, [1, '2'], ['Bo', '3']], ...people, pool },
    { rows: null, ...people },
  ],
  personalRank: [{ rank: 3, reward: '0.050(x1.00)' }],
  KO: [{ victim: 'bob', killType: 'eaten', reward: '1.000(x1.00)', timestamp: 9 }],
  gameOver: [{ stats: { reward: '1', finalMass: 2.5, usdValue: null }, cause: 'eaten', killer: 'Bo' }],
  pong: [{ id: Number.MAX_SAFE_INTEGER }],
  kicked: [{ reason: 'no' }],
  serverMessage: [{ message: 'hello' }],
  playerJoin: [{ name: 'Ann', isBot: false, ...people }],
  playerDisconnect: [{ name: 'Ann', isBot: true, ...people }],
  chatMessage: [line],
  chatHistory: [{ messages: [line, { ...line, avatarUrl: '/a.webp', user_id: 'u1' }] }],
  privateMessage: [{ ...line, type: 'private', to: 'bob' }],
  chatError: [{ error: 'no' }],
  kick: [{ reason: 'no' }],
  emote: [{ name: 'Ann', emote: 5 }],
  game_ended: [{ message: 'kicked' }],
  liveUpdate: [
    [
      { type: 'kill', killerName: 'ann', victimName: 'bob', reward: '1', timestamp: 1 },
      { type: 'cashout', playerName: 'ann', amount: '2', usdValue: null, timestamp: 2 },
      { type: 'lobby_closing', minutesRemaining: 4.5, timestamp: 3, message: 'soon' },
    ],
  ],
  matchMoved: [{}, { joinTicket: 'ticket', baseGame: null }],
  receipt: [
    {
      part: 17_281,
      tick: 2_160_000,
      slot: 400_000_000,
      chain: 'ab'.repeat(32),
      blockhash: '01'.repeat(32),
      signature: 'ff'.repeat(64),
    },
  ],
};

test.each(Object.entries(EXAMPLES) as [RoomServerMessageType, object[]][])(
  '%s is the same where it is read, and nothing if a byte is missing or too many',
  (type, examples) => {
    for (const payload of examples) {
      const frame = serverFrame(type, payload as never);
      expect(serverTypeOf(frame)).toBe(type);
      expect(readServerFrame(type, frame)).toEqual(payload);
      expect(readServerFrame(type, frame.subarray(0, -1))).toBeUndefined();
      expect(readServerFrame(type, Uint8Array.of(...frame, 0))).toBeUndefined();
    }
  },
);

test('a payload that the schema refuses is not read', () => {
  const { number } = ROOM_SERVER_MESSAGES.personalRank;
  expect(readServerFrame('personalRank', Uint8Array.of(number, 0, 0))).toBeUndefined();
});

test('the numbers of messages are never given to others', () => {
  const numbers = (table: { readonly [type: string]: { readonly number: number } }) =>
    Object.fromEntries(Object.entries(table).map(([type, { number }]) => [number, type]));
  expect(numbers({ ...FIRST_MESSAGES, ...ROOM_CLIENT_MESSAGES })).toMatchObject({
    0: 'join',
    1: 'resume',
    2: 'spawn',
    3: 'movement',
    4: 'split',
    5: 'ejectMass',
    6: 'ping',
    7: 'fullUpdate',
  } satisfies Record<number, RoomClientMessageType | 'join' | 'resume'>);
  expect(numbers({ ...ROOM_STATE_MESSAGES, ...ROOM_SERVER_MESSAGES })).toMatchObject({
    0: 'deltaUpdate',
    1: 'gameUpdate',
    2: 'spectatorDeltaUpdate',
    3: 'spectatorFullUpdate',
    4: 'spectatorUpdate',
    5: 'welcome',
    6: 'error',
    24: 'matchMoved',
    25: 'receipt',
    26: 'emote',
  });
});

test('a receipt of a match of a day takes less than 150 bytes', () => {
  const [receipt] = EXAMPLES.receipt;
  expect(serverFrame('receipt', receipt as never).length).toBeLessThan(150);
});

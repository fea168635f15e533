import { expect, test } from 'vitest';
import { readRoomMessage } from './room-event.ts';

test('a message of the room is read when it is what it should be', () => {
  expect(readRoomMessage('pong', { id: 3 })).toEqual({ type: 'pong', payload: { id: 3 } });
  expect(readRoomMessage('pong', { id: 'three' })).toBeUndefined();
  expect(readRoomMessage('personalRank', { rank: 0, reward: '' })).toBeUndefined();
  expect(readRoomMessage('somethingNew', {})).toBeUndefined();
  expect(readRoomMessage('toString', {})).toBeUndefined();
  expect(readRoomMessage(7, {})).toBeUndefined();
});

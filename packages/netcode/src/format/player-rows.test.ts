import { applyCommand } from '@engulf/sim/commands';
import { createWorld } from '@engulf/sim/create-world';
import { numberedKey } from '@engulf/sim/keys';
import { expect, test } from 'vitest';
import { createBitReader, createBitWriter, finishWriting } from './bits.ts';
import {
  createPlayerRows,
  MAX_ROW_BYTES,
  readPlayerRow,
  refreshPlayerRows,
  writePlayerRow,
} from './player-rows.ts';

test.each([
  ['0123456789abcdef'.repeat(4), '0123456789abcdef'.repeat(4)],
  [undefined, undefined],
  ['/avatars/evil', undefined],
  ['0'.repeat(63), undefined],
])('the picture %j is sent as %j', (picture, sent) => {
  const world = createWorld({ key: numberedKey(1) });
  applyCommand(world, { type: 'join', stake: 1n });
  const rows = createPlayerRows(world.players);
  refreshPlayerRows(rows, world.players, 0, () => ({
    name: 'a',
    colour: 1,
    reward: '1',
    isAdmin: true,
    picture,
  }));
  const writer = createBitWriter(MAX_ROW_BYTES);
  writePlayerRow(writer, rows, 0, true, true);
  const { identity, reward } = readPlayerRow(createBitReader(finishWriting(writer)));
  expect(identity).toMatchObject({ name: 'a', isAdmin: true, picture: sent });
  expect(reward).toBe('1');
});

test('names and rewards of any length and script fit a row', () => {
  const world = createWorld({ key: numberedKey(1) });
  applyCommand(world, { type: 'join', stake: 1n });
  const rows = createPlayerRows(world.players);
  refreshPlayerRows(rows, world.players, 0, () => ({
    name: '深'.repeat(500),
    colour: 11,
    reward: '😀'.repeat(500),
  }));
  const writer = createBitWriter(MAX_ROW_BYTES);
  writePlayerRow(writer, rows, 0, true, true);
  const { identity, reward } = readPlayerRow(createBitReader(finishWriting(writer)));
  expect(identity?.name).toBe('深'.repeat(63));
  expect(identity?.colour).toBe(11);
  expect(reward).toMatch(/^(😀)+/u);
});

test.each([
  ['0.618(x6.18)', 1 + 5 + 12 * 4],
  ['$1,234.50(x99)', 1 + 5 + 14 * 4],
  ['', 1 + 5],
  ['1.2 SOL', 1 + 8 + 7 * 8],
  ['1'.repeat(32), 1 + 8 + 32 * 8],
])('the reward %j takes %i bits', (text, bits) => {
  const world = createWorld({ key: numberedKey(1) });
  applyCommand(world, { type: 'join', stake: 1n });
  const rows = createPlayerRows(world.players);
  refreshPlayerRows(rows, world.players, 0, () => ({ name: 'a', colour: 1, reward: text }));
  const writer = createBitWriter(MAX_ROW_BYTES);
  writePlayerRow(writer, rows, 0, false, true);
  // Two bits say which parts of the row follow.
  expect(writer.length * 8 + writer.pendingBits).toBe(2 + bits);
  expect(readPlayerRow(createBitReader(finishWriting(writer)))).toEqual({ reward: text });
});

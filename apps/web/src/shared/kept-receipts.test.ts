import { expect, test } from 'vitest';
import { type KeptReceipt, keepMatch, keepReceipt, readKept } from './kept-receipts.ts';

function memory() {
  const values = new Map<string, string>();
  return {
    read: (key: string) => values.get(key),
    write: (key: string, value: string) => void values.set(key, value),
    remove: (key: string) => void values.delete(key),
  };
}

const receipt = (part: number): KeptReceipt => ({
  part,
  tick: 125 * part,
  slot: 1_000 + part,
  chain: 'ab'.repeat(32),
  blockhash: 'cd'.repeat(32),
  signature: 'ef'.repeat(64),
});

test('the first and the latest receipt of a match are kept, with the first commitment', () => {
  const at = memory();
  keepMatch('one', 'aa', at);
  keepMatch('one', 'bb', at);
  for (const part of [2, 3, 4]) keepReceipt('one', receipt(part), at);
  keepReceipt('unknown', receipt(2), at);
  expect(readKept('one', at)).toEqual({
    matchId: 'one',
    commitment: 'aa',
    receipts: [receipt(2), receipt(4)],
  });
  expect(readKept('unknown', at)).toBeUndefined();
});

test('only the latest matches are kept, and garbage in the storage does no harm', () => {
  const at = memory();
  at.write('receipts', '{"not": "a list"}');
  for (let number = 0; number < 30; number++) keepMatch(`match-${number}`, 'aa', at);
  expect(readKept('match-9', at)).toBeUndefined();
  expect(readKept('match-10', at)).toBeDefined();
  at.write('receipts', 'garbage');
  expect(readKept('match-29', at)).toBeUndefined();
});

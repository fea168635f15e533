import { expect, test } from 'vitest';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import { writeAnchorMemo } from './anchor-memo.ts';
import { listAnchors } from './read-anchors.ts';

const hash = (number: number) => number.toString(16).padStart(64, '0');
const PAGE = 2;

/** A key that has published one commit after the other; the newest is number `count`. */
function publisher(count: number) {
  let pages = 0;
  const { rpc } = scriptedNode({
    getSignaturesForAddress: ([, { before }]: readonly unknown[] & [unknown, { before?: string }]) => {
      pages++;
      const newest = before === undefined ? count : Number(before) - 1;
      return Array.from({ length: Math.min(PAGE, newest) }, (_, index) => {
        const number = newest - index;
        const memo = { commitment: hash(number), terms: hash(0), previous: hash(number - 1) };
        const text = writeAnchorMemo({ kind: 'commit', ...memo });
        return { signature: `${number}`, slot: number, err: null, memo: `[${text.length}] ${text}` };
      });
    },
  } as never);
  const list = async (number: number) => {
    const about = { commitment: hash(number), previous: hash(number - 1) };
    const listed = await listAnchors(rpc as never, testAddress(1), about, PAGE);
    return listed.map(({ slot }) => Number(slot));
  };
  return { list, pagesOf: () => pages };
}

test('all memos are listed, oldest first, while there are few', async () => {
  expect(await publisher(7).list(5)).toEqual([1, 2, 3, 4, 5, 6, 7]);
});

test('of a long history no more than 20 pages before the match are asked for', async () => {
  const { list, pagesOf } = publisher(400);
  const listed = await list(399);
  expect(listed.at(-1)).toBe(400);
  expect(listed).toContain(398);
  expect(pagesOf()).toBe(21);
});

test('a commitment that is too far back is not looked for for ever', async () => {
  const { list, pagesOf } = publisher(5_000);
  await expect(list(3)).rejects.toThrow('too much');
  expect(pagesOf()).toBe(501);
});

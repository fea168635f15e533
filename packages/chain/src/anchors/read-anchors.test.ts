import { type Address, address, type Signature } from '@solana/kit';
import { expect, test } from 'vitest';
import { MEMO_PROGRAM } from '../payouts/claim-message.ts';
import { type Call, confirmedTransaction, signatureOf } from '../testing/confirmed-transaction.ts';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import { writeAnchorMemo } from './anchor-memo.ts';
import { keepOwnAnchors, listAnchors, readAnchor } from './read-anchors.ts';

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

const memoOf = (text: string, programAddress: Address = MEMO_PROGRAM): Call => ({
  programAddress,
  data: new TextEncoder().encode(text),
  calls: [],
});
const commit = { kind: 'commit', commitment: hash(1), terms: hash(2), previous: hash(3) } as const;
const commitCall = memoOf(writeAnchorMemo(commit));
const key = testAddress(1);
/** Nodes list its texts as well. */
const testMemo1 = address('Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo');

/** A node that shows a transaction of the key with these calls. */
function nodeWith(calls: readonly Call[], options: { err?: object } = {}) {
  const transaction = confirmedTransaction(key, calls, options);
  const { rpc } = scriptedNode({ getTransaction: () => ({ ...transaction, slot: 7, blockTime: null }) });
  return { rpc: rpc as never, signature: signatureOf(transaction) };
}

test('a commitment counts if its transaction has it as its only memo', async () => {
  const { rpc, signature } = nodeWith([commitCall]);
  expect(await readAnchor(rpc, signature)).toMatchObject({ slot: 7n, signer: key, memo: commit });
});

test.each<[name: string, calls: readonly Call[], options?: { err: object }]>([
  ['is followed by another memo', [commitCall, memoOf('x')]],
  ['comes after another memo', [memoOf('x'), commitCall]],
  ['is followed by one of the older program', [commitCall, memoOf('x', testMemo1)]],
  ['is of the older program', [memoOf(writeAnchorMemo(commit), testMemo1)]],
  ['is of a program that was called', [{ programAddress: testAddress(2), calls: [commitCall] }]],
  ['has a byte order mark before it', [memoOf(`\ufeff${writeAnchorMemo(commit)}`)]],
  ['has a space behind it', [memoOf(`${writeAnchorMemo(commit)} `)]],
  ['is of a transaction that failed', [commitCall], { err: {} }],
])(
  'a commitment that %s, and is listed otherwise or not at all, counts for nothing',
  async (_, calls, options) => {
    const { rpc, signature } = nodeWith(calls, options);
    expect(await readAnchor(rpc, signature)).toMatchObject({ slot: 7n, memo: undefined });
  },
);

test('a rival that its node lists and does not show is not left out in silence', async () => {
  const { rpc } = scriptedNode({ getTransaction: () => null });
  const rival = { ...commit, commitment: hash(4) };
  const listed = [{ signature: '1'.repeat(88) as Signature, slot: 1n, memo: rival }];
  await expect(keepOwnAnchors(rpc as never, key, commit, listed)).rejects.toThrow('cannot be read');
  const another = { ...rival, previous: hash(5) };
  const kept = [{ ...listed[0]!, memo: another }];
  expect(await keepOwnAnchors(rpc as never, key, commit, kept)).toEqual(kept);
});

import { confirmedTransaction, signatureOf } from '@engulf/chain/testing/confirmed-transaction';
import { testAddress } from '@engulf/chain/testing/people';
import { scriptedNode } from '@engulf/chain/testing/scripted-node';
import { AccountRole, type Address } from '@solana/kit';
import { expect, test } from 'vitest';
import type { Chain } from '../platform/chain/chain.ts';
import { describeSharedFunder } from './funders.ts';

const [ann, bob, cid, bank, program] = [1, 2, 3, 4, 5].map(testAddress) as [
  Address,
  Address,
  Address,
  Address,
  Address,
];

/** A chain on which each wallet got its first money from another. */
function chainOf(funderOf: ReadonlyMap<Address, Address>) {
  const gifts = [...funderOf].map(([wallet, funder]) => {
    const accounts = [{ address: wallet, role: AccountRole.WRITABLE }];
    const { meta, transaction } = confirmedTransaction(funder, [
      { programAddress: program, accounts, calls: [] },
    ]);
    const balances = { preBalances: [9n, 0n, 1n], postBalances: [4n, 5n, 1n] };
    const answer = { slot: 4n, meta: { ...meta, ...balances }, transaction };
    return { wallet, answer, signature: signatureOf(answer) };
  });
  return scriptedNode({
    getSignaturesForAddress: ([wallet]) =>
      gifts.filter((gift) => gift.wallet === wallet).map(({ signature }) => ({ signature })),
    getTransaction: ([signature]) => gifts.find((gift) => gift.signature === signature)?.answer ?? null,
  });
}

const ask = (node: ReturnType<typeof scriptedNode>) =>
  describeSharedFunder(async () => ({ rpc: node.rpc as unknown as Chain['rpc'] }), [ann, bob]);

test.each([
  [
    'a hop back',
    [
      [ann, bank],
      [bob, bank],
    ],
    bank,
  ],
  [
    'two hops back from one of them',
    [
      [ann, cid],
      [cid, bank],
      [bob, bank],
    ],
    bank,
  ],
  ['that is the one of the other', [[bob, ann]], ann],
] as const)('a wallet that funded both %s is named', async (_, gifts, expected) => {
  const node = chainOf(new Map(gifts.map(([wallet, funder]) => [wallet, funder])));
  expect(await ask(node)).toContain(`stands behind both: ${expected}.`);
  expect(node.asked.length).toBeLessThanOrEqual(8);
});

test('nothing is said of wallets that nothing is known about, or that share nothing within two hops', async () => {
  expect(await ask(chainOf(new Map()))).toBeUndefined();
  const [far, farther] = [testAddress(6), testAddress(7)];
  const gifts = new Map([
    [ann, cid],
    [cid, far],
    [far, bank],
    [bob, farther],
    [farther, testAddress(8)],
  ]);
  expect(await ask(chainOf(gifts))).toBeUndefined();
});

test('wallets that fund each other in a circle are not followed for ever', async () => {
  const [one, two] = [testAddress(6), testAddress(7)];
  const node = chainOf(
    new Map([
      [ann, one],
      [one, ann],
      [bob, two],
      [two, bob],
    ]),
  );
  expect(await ask(node)).toBeUndefined();
  expect(node.asked).toHaveLength(8);
});

test('a node that fails, or answers with nonsense, costs one line', async () => {
  const failing = scriptedNode({
    getSignaturesForAddress: () => {
      throw new Error('too many requests');
    },
  });
  expect(await ask(failing)).toBe('The chain could not be asked who funded their wallets.');
  const lying = scriptedNode({ getSignaturesForAddress: () => null });
  expect(await ask(lying)).toBe('The chain could not be asked who funded their wallets.');
});

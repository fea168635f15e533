import { AccountRole, type Address, type Signature } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { confirmedTransaction, signatureOf } from '../testing/confirmed-transaction.ts';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import { findFunder } from './wallet-funder.ts';

const [funder, wallet, program] = [testAddress(1), testAddress(2), testAddress(3)];

/** A transaction that somebody pays for, in which the wallet gets as much. */
function gift(payer: Address, to: Address, lamports = 5n) {
  const transfer = {
    programAddress: program,
    accounts: [{ address: to, role: AccountRole.WRITABLE }],
    calls: [],
  };
  const { meta, transaction } = confirmedTransaction(payer, [transfer]);
  const balances = { preBalances: [90n, 0n, 1n], postBalances: [90n - lamports, lamports, 1n] };
  return { slot: 4n, meta: { ...meta, ...balances }, transaction };
}

const given = gift(funder, wallet);
const signature = signatureOf(given);

function nodeOf(listed: readonly unknown[], getTransaction: (params: readonly unknown[]) => unknown) {
  return scriptedNode({ getSignaturesForAddress: () => listed, getTransaction });
}

describe('who funded a wallet', () => {
  test('is who paid for the first transaction that brought it money, in two calls', async () => {
    const later = { signature: signatureOf(gift(testAddress(9), wallet)) };
    const node = nodeOf([later, { signature }], ([asked]) => (asked === signature ? given : null));
    expect(await findFunder(node.rpc, wallet)).toBe(funder);
    expect(node.asked).toEqual(['getSignaturesForAddress', 'getTransaction']);
  });

  test.each([
    ['has no transactions', [], given],
    ['has more of them than are listed', Array.from({ length: 1000 }, () => ({ signature })), given],
    ['has a first transaction that is missing', [{ signature }], null],
    ['has one whose effects are missing', [{ signature }], { ...given, meta: null }],
    ['has one whose balances are missing', [{ signature }], { ...given, meta: { err: null } }],
    ['got nothing in it', [{ signature }], { ...given, meta: gift(funder, wallet, 0n).meta }],
    ['paid for it itself', [{ signature: signatureOf(gift(wallet, funder)) }], gift(wallet, funder)],
    [
      'is not a part of it',
      [{ signature: signatureOf(gift(funder, testAddress(7))) }],
      gift(funder, testAddress(7)),
    ],
    ['is shown another one than was asked for', [{ signature }], gift(testAddress(8), wallet)],
    ['is shown no transaction at all', [{ signature }], { ...given, transaction: ['AAAA', 'base64'] }],
  ])('is not known if the wallet %s', async (_, listed, answer) => {
    const node = nodeOf(listed as { signature: Signature }[], () => answer);
    expect(await findFunder(node.rpc, wallet)).toBeUndefined();
    expect(node.asked.length).toBeLessThanOrEqual(2);
  });

  test('cannot be told if the node does not answer', async () => {
    const node = nodeOf([{ signature }], () => {
      throw new Error('connection reset');
    });
    await expect(findFunder(node.rpc, wallet)).rejects.toThrow();
  });
});

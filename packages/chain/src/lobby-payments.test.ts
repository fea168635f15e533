import { describe, expect, test } from 'vitest';
import { readLobbyTransactions } from './lobby-payments.ts';
import { confirmedTransaction } from './testing/confirmed-transaction.ts';
import { joinCall, PROGRAM_ID, testAddress } from './testing/join-calls.ts';
import { scriptedNode } from './testing/scripted-node.ts';

const lobbyConfig = testAddress(2);
const here = {
  lobbyConfig,
  player: testAddress(1),
  treasury: testAddress(3),
  tokenMint: undefined,
  entryFee: 10n,
  platformFee: 1n,
  stake: 9n,
};
const elsewhere = { ...here, lobbyConfig: testAddress(5) };
const answer = { slot: 4, ...confirmedTransaction(here.player, [joinCall(here), joinCall(elsewhere)]) };
const signatureOf = (number: number) => `${'1'.repeat(63)}${number}`;

/** A lobby with three transactions, of which the node shows those it is told to. */
async function read(shown: Readonly<Record<number, unknown>>, failed: readonly number[] = []) {
  const { rpc, asked } = scriptedNode({
    getSignaturesForAddress: () =>
      [3, 2, 1].map((number) => ({
        signature: signatureOf(number),
        slot: number,
        err: failed.includes(number) ? { InstructionError: [0, { Custom: 6009 }] } : null,
      })),
    getTransaction: ([signature]) => shown[Number(String(signature).at(-1))] ?? null,
  });
  const found = [];
  for await (const { slot, payments } of readLobbyTransactions({ rpc, programId: PROGRAM_ID, lobbyConfig })) {
    found.push({ slot, payments });
  }
  return { found, asked };
}

describe('readLobbyTransactions', () => {
  test('yields oldest first, with the payments into this lobby only', async () => {
    const { found } = await read({ 1: answer, 2: answer, 3: answer });
    expect(found).toEqual([1n, 2n, 3n].map((slot) => ({ slot, payments: [here] })));
  });

  test('stops before a transaction the node does not show yet', async () => {
    expect((await read({ 1: answer, 3: answer })).found.map(({ slot }) => slot)).toEqual([1n]);
    expect((await read({ 1: { ...answer, meta: null }, 2: answer })).found).toEqual([]);
  });

  test('counts nothing for a failed transaction, and need not read it', async () => {
    const { found, asked } = await read({ 2: answer }, [1, 3]);
    expect(found.map(({ payments }) => payments.length)).toEqual([0, 1, 0]);
    expect(asked.filter((method) => method === 'getTransaction')).toHaveLength(1);
  });
});

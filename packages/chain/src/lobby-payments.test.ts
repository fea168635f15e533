import { describe, expect, test } from 'vitest';
import { type LobbyTransaction, readLobbyTransactions } from './lobby-payments.ts';
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

/** Reads a lobby with three transactions, of which the node can show some. */
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
  const found: Omit<LobbyTransaction, 'signature'>[] = [];
  let error: unknown;
  try {
    const transactions = readLobbyTransactions({ rpc, programId: PROGRAM_ID, lobbyConfig });
    for await (const { signature: _, ...transaction } of transactions) found.push(transaction);
  } catch (thrown) {
    error = thrown;
  }
  return { found, error, asked };
}

describe('readLobbyTransactions', () => {
  test('yields the oldest transaction first, with the payments into this lobby only', async () => {
    const { found } = await read({ 1: answer, 2: answer, 3: answer });
    expect(found).toEqual([1n, 2n, 3n].map((slot) => ({ slot, isFailed: false, payments: [here] })));
  });

  test('throws at a transaction the node cannot show, after yielding the earlier ones', async () => {
    const missing = await read({ 1: answer, 3: answer });
    expect(missing.found.map(({ slot }) => slot)).toEqual([1n]);
    expect(missing.error).toMatchObject({ message: `${signatureOf(2)} is final but cannot be read` });
    const withoutOutcome = await read({ 1: { ...answer, meta: null }, 2: answer });
    expect(withoutOutcome.found).toEqual([]);
    expect(withoutOutcome.error).toBeInstanceOf(Error);
  });

  test('yields failed transactions without payments and without fetching them', async () => {
    const { found, asked } = await read({ 2: answer }, [1, 3]);
    expect(found.map(({ isFailed, payments }) => [isFailed, payments.length])).toEqual([
      [true, 0],
      [false, 1],
      [true, 0],
    ]);
    expect(asked.filter((method) => method === 'getTransaction')).toHaveLength(1);
  });
});

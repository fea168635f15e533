import type { Signature } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { confirmedTransaction, signatureOf } from '../testing/confirmed-transaction.ts';
import { testAddress } from '../testing/people.ts';
import { scriptedNode } from '../testing/scripted-node.ts';
import { awaitFinality, lookUpFate } from './await-finality.ts';

const signature = '1'.repeat(64) as Signature;
const status = (confirmationStatus: string, err: unknown = null) => ({
  slot: 9,
  confirmations: null,
  err,
  confirmationStatus,
});

type Node = {
  readonly height?: number;
  /** The slot of the answer about the status. */
  readonly statusSlot?: number;
  readonly transaction?: unknown;
  readonly listed?: readonly object[];
  readonly signal?: AbortSignal;
};

/** One status per poll; a thrown error is a broken connection. Slot and height are the same number here. */
function wait(looks: readonly (() => unknown)[], node: Node = {}) {
  const { height = 100, statusSlot = height, transaction = null, listed = [], signal } = node;
  const remaining = [...looks];
  const { rpc } = scriptedNode({
    getBlockHeight: () => height,
    getEpochInfo: () => ({ absoluteSlot: height, blockHeight: height }),
    getSignatureStatuses: () => ({
      context: { slot: statusSlot },
      value: [(remaining.shift() ?? (() => null))()],
    }),
    getTransaction: () => transaction,
    getSignaturesForAddress: () => listed,
  });
  const history = { account: testAddress(1), memo: 'batch 7', feePayer: testAddress(2), sinceSlot: 1n };
  const request = { rpc, signature, lastValidBlockHeight: 100n, pollMs: 1, history };
  return awaitFinality(signal ? { ...request, signal } : request);
}

const broken = () => {
  throw new Error('connection reset');
};
const unknown = () => null;

describe('awaitFinality', () => {
  test('waits through missing statuses, failed requests and lower commitments', async () => {
    const looks = [
      unknown,
      broken,
      () => status('processed'),
      () => status('confirmed'),
      () => status('finalized'),
    ];
    expect(await wait(looks)).toEqual({ kind: 'finalized', slot: 9n });
  });

  test('reports a failed transaction only once it is final', async () => {
    const err = { InstructionError: [0, { Custom: 6005 }] };
    const looks = [() => status('confirmed', err), () => status('finalized', err)];
    expect(await wait(looks)).toEqual({ kind: 'failed', reason: 'Reward amount must be greater than zero.' });
  });

  test('reports expiry only when every node must be past the last valid height', async () => {
    expect(await wait([], { height: 401 })).toEqual({ kind: 'expired', asOfSlot: 101n });
    for (const height of [101, 132, 400]) {
      expect(await wait([unknown, () => status('finalized')], { height })).toMatchObject({
        kind: 'finalized',
      });
    }
    const looks = [() => status('confirmed'), () => status('finalized')];
    expect(await wait(looks, { height: 401 })).toMatchObject({ kind: 'finalized' });
  });

  test('does not believe "unknown" from a node that has not reached the last valid height', async () => {
    const signal = AbortSignal.timeout(100);
    await expect(wait([], { height: 500, statusSlot: 100, signal })).rejects.toThrow(/timeout/);
    expect(await wait([], { height: 500, statusSlot: 101 })).toMatchObject({ kind: 'expired' });
  });

  test('does not report expiry for a transaction whose status the node lost', async () => {
    const landed = (err: unknown) => ({ slot: 9, blockTime: 1, meta: { err }, transaction: ['', 'base64'] });
    const height = 401;
    expect(await wait([], { height, transaction: landed(null) })).toEqual({ kind: 'finalized', slot: 9n });
    const err = { InstructionError: [0, { Custom: 6005 }] };
    expect(await wait([], { height, transaction: landed(err) })).toMatchObject({ kind: 'failed' });
  });

  test('finds a transaction that only the history of its account still lists', async () => {
    const listed = (change: object) => [{ signature, slot: 9, err: null, memo: null, ...change }];
    const look = (change: object) => wait([], { height: 401, listed: listed(change) });
    expect(await look({})).toEqual({ kind: 'finalized', slot: 9n });
    expect(await look({ err: 'AccountInUse' })).toMatchObject({ kind: 'failed' });
    expect(await look({ signature: '2'.repeat(64) })).toMatchObject({ kind: 'expired' });
  });

  test.each([
    ['of the fee payer', 2, 'finalized'],
    ['of somebody who copied it', 3, 'expired'],
  ])('judges a memo in the history by the transaction %s', async (_, feePayer, kind) => {
    const lost = '2'.repeat(64) as Signature;
    const landed = { slot: 9, ...confirmedTransaction(testAddress(feePayer), []) };
    const { rpc } = scriptedNode({
      getBlockHeight: () => 401,
      getEpochInfo: () => ({ absoluteSlot: 401, blockHeight: 401 }),
      getSignatureStatuses: () => ({ context: { slot: 401 }, value: [null] }),
      getTransaction: ([asked]) => (asked === lost ? null : landed),
      getSignaturesForAddress: () => [
        { signature: signatureOf(landed), slot: 9, err: null, memo: '[7] batch 7' },
      ],
    });
    const history = { account: testAddress(1), memo: 'batch 7', feePayer: testAddress(2), sinceSlot: 1n };
    const fate = await lookUpFate({ rpc, signature: lost, lastValidBlockHeight: 100n, history });
    expect(fate).toMatchObject({ kind });
  });

  test('throws when its signal is aborted', async () => {
    const { rpc } = scriptedNode({ getBlockHeight: broken });
    const signal = AbortSignal.timeout(20);
    await expect(
      awaitFinality({ rpc, signature, lastValidBlockHeight: 1n, pollMs: 1, signal }),
    ).rejects.toThrow(/timeout/);
  });
});

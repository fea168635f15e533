import type { Signature } from '@solana/kit';
import { describe, expect, test } from 'vitest';
import { awaitFinality } from './await-finality.ts';
import { scriptedNode } from './testing/scripted-node.ts';

const signature = '1'.repeat(64) as Signature;
const status = (confirmationStatus: string, err: unknown = null) => ({
  slot: 9,
  confirmations: null,
  err,
  confirmationStatus,
});

/** One status per poll; a thrown error is a broken connection. */
function wait(looks: readonly (() => unknown)[], height = 100, transaction: unknown = null) {
  const remaining = [...looks];
  const { rpc } = scriptedNode({
    getBlockHeight: () => height,
    getSignatureStatuses: () => ({ context: { slot: 9 }, value: [remaining.shift()!()] }),
    getTransaction: () => transaction,
  });
  return awaitFinality({ rpc, signature, lastValidBlockHeight: 100n, pollMs: 1 });
}

const broken = () => {
  throw new Error('connection reset');
};

describe('awaitFinality', () => {
  test('waits through missing statuses, failed requests and lower commitments', async () => {
    const looks = [
      () => null,
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
    expect(await wait([() => null], 133)).toEqual({ kind: 'expired' });
    for (const height of [101, 132]) {
      expect(await wait([() => null, () => status('finalized')], height)).toMatchObject({
        kind: 'finalized',
      });
    }
    expect(await wait([() => status('confirmed'), () => status('finalized')], 133)).toMatchObject({
      kind: 'finalized',
    });
  });

  test('does not report expiry for a transaction whose status the node lost', async () => {
    const landed = (err: unknown) => ({ slot: 9, blockTime: 1, meta: { err }, transaction: ['', 'base64'] });
    expect(await wait([() => null], 133, landed(null))).toEqual({ kind: 'finalized', slot: 9n });
    const err = { InstructionError: [0, { Custom: 6005 }] };
    expect(await wait([() => null], 133, landed(err))).toMatchObject({ kind: 'failed' });
  });

  test('throws when its signal is aborted', async () => {
    const { rpc } = scriptedNode({ getBlockHeight: broken });
    const signal = AbortSignal.timeout(20);
    await expect(
      awaitFinality({ rpc, signature, lastValidBlockHeight: 1n, pollMs: 1, signal }),
    ).rejects.toThrow(/timeout/);
  });
});

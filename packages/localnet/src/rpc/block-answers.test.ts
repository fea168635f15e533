import { expect, test, vi } from 'vitest';
import { startTestLocalnet } from '../testing/test-localnet.ts';

const FINAL = { commitment: 'finalized' } as const;
const HASH_ONLY = {
  commitment: 'finalized',
  maxSupportedTransactionVersion: 0,
  rewards: false,
  transactionDetails: 'none',
} as const;

test('a block is shown once it is final, and keeps its hash over a restart', async () => {
  const chain = await startTestLocalnet();
  try {
    // Two seconds ahead, which is long enough to ask twice.
    const slot = (await chain.rpc.getSlot({ commitment: 'processed' }).send()) + 40n;
    await expect(chain.rpc.getBlock(slot, HASH_ONLY).send()).rejects.toThrow();
    expect(await chain.rpc.getBlocks(slot, slot + 5n, FINAL).send()).toEqual([]);
    await vi.waitFor(
      async () => expect(await chain.rpc.getBlocks(slot, slot, FINAL).send()).toEqual([slot]),
      30_000,
    );
    const block = await chain.rpc.getBlock(slot, HASH_ONLY).send();
    const before = await chain.rpc.getBlock(slot - 1n, HASH_ONLY).send();
    expect(block!.blockhash).not.toBe(before!.blockhash);
    await chain.restart();
    expect(await chain.rpc.getBlock(slot, HASH_ONLY).send()).toEqual(block);
  } finally {
    await chain.dispose();
  }
});

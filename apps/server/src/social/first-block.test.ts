import { afterAll, beforeAll, expect, test } from 'vitest';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import type { Chain } from '../platform/chain/chain.ts';
import { type FirstBlock, findFirstBlock } from './first-block.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(() => server.dispose());

test('on a real chain the block exists once it is finalized, and stays the same', async () => {
  const atMs = Date.now() + 1_500;
  const chain = { rpc: server.chain.rpc, mode: 'external' } as const;
  expect(await findFirstBlock(chain, atMs)).toBeUndefined();
  let found: FirstBlock | undefined;
  await expect
    .poll(
      async () => {
        const block = await findFirstBlock(chain, atMs);
        found = block === 'forgotten' ? undefined : block;
        return found;
      },
      { timeout: 30_000 },
    )
    .toBeDefined();
  const timeS = await server.chain.rpc.getBlockTime(found!.slot).send();
  const beforeS = await server.chain.rpc.getBlockTime(found!.slot - 1n).send();
  expect(Number(timeS) * 1000).toBeGreaterThanOrEqual(atMs);
  expect(Number(beforeS) * 1000).toBeLessThan(atMs);
  expect(await findFirstBlock(chain, atMs)).toEqual(found);
});

/** A chain with 10 s a slot, where two slots of three have no block. Its node has the blocks from slot 102 on, but for some. */
function sparseChain(
  lastSlot: number,
  { mode = 'external', missing = [] }: { mode?: Chain['mode']; missing?: readonly number[] } = {},
): Pick<Chain, 'rpc' | 'mode'> {
  const hasBlock = (slot: number) =>
    slot % 3 === 0 && slot >= 102 && slot <= lastSlot && !missing.includes(slot);
  const answer = (value: unknown) => ({ send: async () => value });
  const rpc = {
    getSlot: () => answer(BigInt(lastSlot)),
    getFirstAvailableBlock: () => answer(102n),
    getBlockTime: (slot: bigint) => answer(slot * 10n),
    getBlocksWithLimit: (from: bigint) => {
      let slot = Number(from);
      while (slot <= lastSlot && !hasBlock(slot)) slot++;
      return answer(slot <= lastSlot ? [BigInt(slot)] : []);
    },
    getBlock: (slot: bigint) => answer({ blockhash: `block ${slot}`, parentSlot: slot - 3n }),
  };
  return { rpc: rpc as unknown as Chain['rpc'], mode };
}

test.each([
  [1_020_001, 105],
  [1_500_000, 150],
  [1_501_000, 153],
  [9_990_000, 999],
])(
  'of a chain with empty slots, the first block at or after %i ms is that of slot %i',
  async (atMs, slot) => {
    expect(await findFirstBlock(sparseChain(999), atMs)).toEqual({
      slot: BigInt(slot),
      blockhash: `block ${slot}`,
    });
  },
);

test('of a node that has dropped the blocks before that moment, none is taken for the first', async () => {
  for (const atMs of [1_000_000, 1_020_000]) {
    expect(await findFirstBlock(sparseChain(999), atMs)).toBe('forgotten');
  }
  const embedded = sparseChain(999, { mode: 'embedded' });
  expect(await findFirstBlock(embedded, 1_000_000)).toMatchObject({ slot: 102n });
});

test('of a node that lacks blocks about that moment, a later one is not taken for the first', async () => {
  const restored = sparseChain(999, { missing: [147, 150, 153] });
  for (const atMs of [1_470_000, 1_500_000, 1_530_000]) {
    expect(await findFirstBlock(restored, atMs)).toBe('forgotten');
  }
  for (const [atMs, slot] of [
    [1_440_000, 144n],
    [1_590_000, 159n],
  ] as const) {
    expect(await findFirstBlock(restored, atMs)).toMatchObject({ slot });
  }
});

test('there is none while the newest block is older', async () => {
  expect(await findFirstBlock(sparseChain(999), 9_990_001)).toBeUndefined();
});

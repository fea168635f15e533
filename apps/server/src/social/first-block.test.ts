import { afterAll, beforeAll, expect, test } from 'vitest';
import type { Chain } from '../platform/chain/chain.ts';
import { startTestServer, type TestServer } from '../testing/test-server.ts';
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

/** A chain with a block every 10 s from slot 100 on, where two slots of three have none. */
function sparseChain(lastSlot: number, mode: Chain['mode'] = 'external'): Pick<Chain, 'rpc' | 'mode'> {
  const hasBlock = (slot: number) => slot % 3 === 0 && slot <= lastSlot;
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
    getBlock: (slot: bigint) => answer({ blockhash: `block ${slot}` }),
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
  expect(await findFirstBlock(sparseChain(999, 'embedded'), 1_000_000)).toMatchObject({ slot: 102n });
});

test('there is none while the newest block is older', async () => {
  expect(await findFirstBlock(sparseChain(999), 9_990_001)).toBeUndefined();
});

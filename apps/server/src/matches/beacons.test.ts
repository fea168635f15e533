import { scriptedNode } from '@engulf/chain/testing/scripted-node';
import { numberedKey } from '@engulf/sim/keys';
import { getBase58Decoder } from '@solana/kit';
import { expect, test, vi } from 'vitest';
import type { Context } from '../platform/context.ts';
import { findBeacon, readNewestSlot } from './beacons.ts';

const blockhash = numberedKey(4);
const down = () => {
  throw new Error('ECONNREFUSED');
};

function contextWith(...scripts: Parameters<typeof scriptedNode>[0][]) {
  const nodes = scripts.map((script) => scriptedNode(script).rpc);
  const warn = vi.fn();
  const context = { chain: { rpc: nodes[0], nodes }, logger: { warn } } as unknown as Context;
  return { context, warn };
}

test('the newest slot is that of the node which is furthest, and nobody waits for one that is down', async () => {
  const { context } = contextWith({ getSlot: () => 90 }, { getSlot: down }, { getSlot: () => 120 });
  expect(await readNewestSlot(context)).toBe(120n);
  const { context: alone, warn } = contextWith({ getSlot: down });
  expect(await readNewestSlot(alone)).toBeUndefined();
  expect(warn).toHaveBeenCalledOnce();
});

test('the block is the first from the slot on, as soon as it is confirmed', async () => {
  const asked: unknown[] = [];
  const node = (parentSlot: number) => ({
    getBlocks: (params: readonly unknown[]) => {
      asked.push(params);
      return [102, 103];
    },
    getBlock: () => ({ blockhash: getBase58Decoder().decode(blockhash), parentSlot, blockTime: null }),
  });
  expect(await findBeacon(contextWith(node(99)).context, 100n)).toEqual({ slot: 102n, blockhash });
  expect(asked[0]).toMatchObject([100n, 164n, { commitment: 'confirmed' }]);
  // A node that lacks an earlier one must not decide.
  expect(await findBeacon(contextWith(node(100)).context, 100n)).toBeUndefined();
});

test('a block that is not there yet, or cannot be read, costs nothing but the block', async () => {
  expect(await findBeacon(contextWith({ getBlocks: () => [] }).context, 100n)).toBeUndefined();
  const { context, warn } = contextWith({ getBlocks: down });
  expect(await findBeacon(context, 100n)).toBeUndefined();
  expect(warn).toHaveBeenCalledOnce();
});

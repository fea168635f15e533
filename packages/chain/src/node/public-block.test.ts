import { describe, expect, test } from 'vitest';
import { scriptedNode } from '../testing/scripted-node.ts';
import { findAgreedBlock, findBlock, nameSlot } from './public-block.ts';

const nodeAt = (slot: number) => scriptedNode({ getSlot: () => slot }).rpc;
const broken = scriptedNode({}).rpc;

describe('nameSlot', () => {
  test('names a slot ahead of the node that is furthest', async () => {
    expect(await nameSlot([nodeAt(100)], 8n)).toBe(108n);
    expect(await nameSlot([nodeAt(100), nodeAt(140), nodeAt(90)], 8n)).toBe(148n);
  });

  test('does without nodes that fail, but not without all', async () => {
    expect(await nameSlot([broken, nodeAt(100)], 2n)).toBe(102n);
    await expect(nameSlot([broken, broken], 2n)).rejects.toThrow('no answer to getSlot');
  });
});

describe('findBlock', () => {
  const node = (blockTime: number | null | undefined, parentSlot = 4) =>
    scriptedNode({
      getBlocks: () => [7],
      getBlock: () => ({ blockhash: 'a hash', blockTime, blockHeight: 6, parentSlot }),
    }).rpc;

  test('tells the time of the block, if the node does', async () => {
    expect(await findBlock(node(12), 5n)).toEqual({ slot: 7n, blockhash: 'a hash', timeMs: 12_000 });
    for (const untold of [null, undefined]) {
      expect(await findBlock(node(untold), 5n)).toMatchObject({ slot: 7n, timeMs: undefined });
    }
  });

  test('does not take a block for the first if the node lacks the one before it', async () => {
    expect(await findBlock(node(12, 5), 5n)).toBeUndefined();
    expect(await findBlock(node(12, 6), 5n)).toBeUndefined();
  });
});

describe('findAgreedBlock', () => {
  const node = (blockhash: string, slot = 7) =>
    scriptedNode({ getBlocks: () => [slot], getBlock: () => ({ blockhash, blockHeight: 6, parentSlot: 4 }) })
      .rpc;
  const late = scriptedNode({ getBlocks: () => [] }).rpc;

  test.each([
    ['the only node', [node('a')], 'a'],
    ['two of three', [node('forged'), node('a'), node('a')], 'a'],
    ['those that answer', [broken, node('a')], 'a'],
    ['neither of two that differ', [node('a'), node('forged')], undefined],
    ['neither of two that name other slots', [node('a'), node('a', 8)], undefined],
    ['no single one while another has none yet', [node('a'), late], undefined],
  ])('believes %s', async (_, nodes, blockhash) => {
    expect((await findAgreedBlock(nodes, 5n))?.blockhash).toBe(blockhash);
  });

  test('fails if no node answers', async () => {
    await expect(findAgreedBlock([broken, broken], 5n)).rejects.toThrow('no answer to getBlocks');
  });
});

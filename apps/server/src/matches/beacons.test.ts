import { randomUUID } from 'node:crypto';
import { scriptedNode } from '@engulf/chain/testing/scripted-node';
import { transactionSignature, walletAddress } from '@engulf/domain/ids/entity-ids';
import { numberedKey } from '@engulf/sim/keys';
import { getBase58Decoder } from '@solana/kit';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { randomBase58 } from '../../testing/random-base58.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import { payments } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { findBeacon, readNewestSlot } from './beacons.ts';

const blockhash = numberedKey(4);
const down = () => {
  throw new Error('ECONNREFUSED');
};

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

function contextWith(...scripts: Parameters<typeof scriptedNode>[0][]) {
  const nodes = scripts.map((script) => scriptedNode(script).rpc);
  const warn = vi.fn();
  const { db } = database;
  const context = { db, chain: { rpc: nodes[0], nodes }, logger: { warn } } as unknown as Context;
  return { context, warn };
}

test('the newest slot is that of the node which is furthest, and nobody waits for one that is down', async () => {
  const { id } = await newPaidLobby(database.db);
  const { context } = contextWith({ getSlot: () => 90 }, { getSlot: down }, { getSlot: () => 120 });
  expect(await readNewestSlot(context, id)).toBe(120n);
  const { context: alone, warn } = contextWith({ getSlot: down });
  expect(await readNewestSlot(alone, id)).toBeUndefined();
  expect(warn).toHaveBeenCalledOnce();
});

test('nodes that are all behind a payment of the lobby do not count', async () => {
  const { db } = database;
  const [lobby, other] = [await newPaidLobby(db), await newPaidLobby(db)];
  const pay = (lobbyId: typeof lobby.id, slot: bigint | null) =>
    db.insert(payments).values({
      id: randomUUID(),
      lobbyId,
      slot,
      signature: transactionSignature(randomBase58(64)),
      wallet: walletAddress(randomBase58(32)),
      status: 'verified',
    });
  await pay(lobby.id, 100n);
  await pay(lobby.id, 80n);
  await pay(lobby.id, null);
  await pay(other.id, 500n);
  const behind = contextWith({ getSlot: () => 99 }, { getSlot: () => 70 });
  expect(await readNewestSlot(behind.context, lobby.id)).toBeUndefined();
  expect(behind.warn).toHaveBeenCalledOnce();
  expect(await readNewestSlot(contextWith({ getSlot: () => 100 }).context, lobby.id)).toBe(100n);
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

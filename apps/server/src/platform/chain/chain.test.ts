import { getGlobalConfigEncoder } from '@engulf/chain/generated/accounts/globalConfig';
import { address, createSolanaRpcFromTransport, getBase64Decoder, type RpcTransport } from '@solana/kit';
import { expect, test, vi } from 'vitest';
import { createPlatformReader } from './chain.ts';

const programId = address('CFtdjtiYjwfRbKvB45xmGnozzDGNEpMy15ekSrsjNqWA');
const OLD = address('Stake11111111111111111111111111111111111111');
const NEW = address('Vote111111111111111111111111111111111111111');

/** A node that answers with the global config, or not at all. */
function startReader() {
  const before = { superAdmin: OLD, platformTreasury: OLD, platformFeeBasisPoints: 500 };
  const chain = { ...before, isDown: false, requests: 0 };
  const transport = (async ({ payload }: { payload: unknown }) => {
    chain.requests++;
    if (chain.isDown) throw new Error('connection refused');
    const data = getGlobalConfigEncoder().encode({ ...chain, bump: 255 });
    const encoded = [getBase64Decoder().decode(data), 'base64'];
    const account = {
      data: encoded,
      executable: false,
      lamports: 1,
      owner: programId,
      rentEpoch: 0,
      space: 75,
    };
    const { id } = payload as { id: string };
    return { jsonrpc: '2.0', id, result: { context: { slot: 1 }, value: account } };
  }) as RpcTransport;
  const warn = vi.fn();
  const clock = { nowMs: 1_000_000 };
  const rpc = createSolanaRpcFromTransport(transport);
  return { chain, warn, clock, read: createPlatformReader(rpc, programId, { warn }, () => clock.nowMs) };
}

test('super admin, treasury and fee follow the chain within seconds, without a call per request', async () => {
  const { chain, clock, read } = startReader();
  const both = await Promise.all([read(), read()]);
  expect(both[0]).toEqual({ superAdmin: OLD, treasury: OLD, feeBasisPoints: 500 });
  expect(chain.requests).toBe(1);
  Object.assign(chain, { superAdmin: NEW, platformTreasury: NEW, platformFeeBasisPoints: 700 });
  expect(await read()).toEqual({ superAdmin: OLD, treasury: OLD, feeBasisPoints: 500 });
  clock.nowMs += 5_000;
  expect(await read()).toEqual({ superAdmin: NEW, treasury: NEW, feeBasisPoints: 700 });
  expect(chain.requests).toBe(2);
});

test('the last known values are returned while the node does not answer', async () => {
  const { chain, clock, warn, read } = startReader();
  chain.isDown = true;
  await expect(read()).rejects.toThrow('connection refused');
  chain.isDown = false;
  await read();
  chain.isDown = true;
  clock.nowMs += 60_000;
  expect(await read()).toEqual({ superAdmin: OLD, treasury: OLD, feeBasisPoints: 500 });
  expect(warn).toHaveBeenCalledOnce();
});

import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { readGlobalConfig, readLobby, readPool } from '@engulf/chain/accounts/read-configs';
import { createLobbyInstruction } from '@engulf/chain/admin/lobby-admin';
import { MAX_TRANSACTION_VERSION } from '@engulf/chain/node/read-transaction';
import { createSolanaRpcSubscriptions, type Signature } from '@solana/kit';
import { fetchMint } from '@solana-program/token';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { startLocalnet } from './start-localnet.ts';
import { signInstructions, signJoin, signTransfer } from './testing/load.ts';
import { startTestLocalnet, type TestLocalnet } from './testing/test-localnet.ts';

let chain: TestLocalnet;

beforeAll(async () => {
  chain = await startTestLocalnet({}, { isSetUp: false });
});
afterAll(() => chain.dispose());
afterEach(() => vi.unstubAllEnvs());

describe('a fresh localnet', () => {
  test('has the program, its global config and the test token', async () => {
    const { rpc, net } = chain;
    expect(await readGlobalConfig(rpc, net.programId)).toMatchObject({
      superAdmin: net.superAdmin.address,
      platformTreasury: net.treasury,
      platformFeeBasisPoints: 500,
    });
    expect((await fetchMint(rpc, net.testToken.mint)).data).toMatchObject({ decimals: 6, supply: 0n });
  });

  test('stores its keys readable by their owner only', () => {
    const folder = join(chain.options.dataDir, 'keys');
    expect(statSync(folder).mode & 0o777).toBe(0o700);
    for (const name of readdirSync(folder)) expect(statSync(join(folder, name)).mode & 0o777).toBe(0o600);
  });

  test('sends two identical grants at once as two transactions', async () => {
    const wallet = await chain.newWallet();
    const grant = () => chain.net.fund(wallet.address, { lamports: 1_000_000_000n, tokens: 7n });
    expect(new Set(await Promise.all([grant(), grant(), grant()])).size).toBe(3);
    expect((await chain.rpc.getBalance(wallet.address).send()).value).toBe(13_000_000_000n);
  });

  test('finalizes a transaction after eight slots and not before', async () => {
    const [from, to] = [await chain.newWallet(), await chain.newWallet()];
    const signed = await signTransfer(chain.rpc, from, to.address, 7n);
    const fate = await chain.sendAndFinalize(signed);
    if (fate.kind !== 'finalized') throw new Error(fate.kind);
    const slot = await chain.rpc.getSlot({ commitment: 'processed' }).send();
    expect(slot - fate.slot).toBeGreaterThanOrEqual(8n);
    expect(slot - fate.slot).toBeLessThan(100n);
  });

  test('notifies a subscriber when a transaction becomes final', async () => {
    const [from, to] = [await chain.newWallet(), await chain.newWallet()];
    const signed = await signTransfer(chain.rpc, from, to.address, 8n);
    const notified = firstNotification(signed.signature);
    await chain.rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
    expect((await notified).value.err).toBeNull();
  });

  test('forwards account subscriptions', async () => {
    const [from, to] = [await chain.newWallet(), await chain.newWallet()];
    const stop = new AbortController();
    const notifications = await createSolanaRpcSubscriptions(chain.net.wsUrl)
      .accountNotifications(to.address, { commitment: 'confirmed', encoding: 'base64' })
      .subscribe({ abortSignal: stop.signal });
    const first = notifications[Symbol.asyncIterator]().next();
    let isNotified = false;
    void first.then(() => {
      isNotified = true;
    });
    // Surfpool may confirm a subscription before it takes effect, and then misses what changes in between.
    for (let amount = 1n; !isNotified; amount++) {
      const signed = await signTransfer(chain.rpc, from, to.address, amount);
      await chain.rpc.sendTransaction(signed.wire, { encoding: 'base64' }).send();
      await Promise.race([first, new Promise((done) => setTimeout(done, 500))]);
    }
    expect((await first).value?.value.lamports).toBeGreaterThan(10_000_000_000n);
    stop.abort();
  });

  test.each(['surfnet_setAccount', 'surfnet_resetNetwork', 'sendBundle', 'constructor'])(
    'does not offer %s',
    async (method) => {
      const response = await fetch(chain.net.rpcUrl, {
        method: 'POST',
        body: JSON.stringify({
          jsonrpc: '2.0',
          id: 1,
          method,
          params: [chain.net.treasury, { lamports: 1 }],
        }),
      });
      expect(await response.json()).toMatchObject({ error: { code: -32601 }, id: 1 });
    },
  );

  test('answers batches, and malformed requests with an error', async () => {
    const post = async (body: string) => (await fetch(chain.net.rpcUrl, { method: 'POST', body })).json();
    const call = { jsonrpc: '2.0', id: 'a', method: 'getHealth' };
    expect(await post(JSON.stringify([call, { ...call, id: 'b', method: 'getSlot' }, 3]))).toMatchObject([
      { id: 'a', result: 'ok' },
      { id: 'b', result: expect.any(Number) },
      { id: null, error: { code: -32600 } },
    ]);
    expect(await post('{')).toMatchObject({ error: { code: -32700 } });
  });
});

describe('a restarted localnet', () => {
  test('continues where it stopped', async () => {
    const { rpc, net } = chain;
    const { programId, superAdmin, treasury } = net;
    const player = await chain.newWallet({ lamports: 10_000_000_000n, tokens: 500n });
    const lobby = { lobbyId: 1n, entryFee: 1_000_000n };
    const create = await createLobbyInstruction({ programId, superAdmin, ...lobby, tokenMint: undefined });
    await chain.sendAndFinalize(await signInstructions(rpc, superAdmin, [create]));
    const joined = await signJoin({ rpc, programId, treasury, player, ...lobby }, 1);
    await chain.sendAndFinalize(joined);
    const neverSent = await signTransfer(rpc, player, treasury, 5n);
    const before = await snapshot(joined.signature);
    const slotBefore = await rpc.getSlot({ commitment: 'processed' }).send();

    await chain.restart();

    expect(await snapshot(joined.signature)).toEqual(before);
    expect(await rpc.getBlockHeight({ commitment: 'finalized' }).send()).toBeGreaterThan(slotBefore + 150n);
    expect(await readPool(rpc, (await readLobby(rpc, programId, 1n))!)).toBe(950_000n);
    expect((await firstNotification(joined.signature)).value.err).toBeNull();
    const resend = (wire: typeof joined.wire) => rpc.sendTransaction(wire, { encoding: 'base64' }).send();
    await expect(resend(joined.wire)).rejects.toMatchObject({
      cause: { message: 'This transaction has already been processed' },
    });
    await expect(resend(neverSent.wire)).rejects.toMatchObject({
      cause: { message: expect.stringMatching(/blockhash/i) },
    });
    // The program still runs, so its bytes were restored too.
    expect(
      await chain.sendAndFinalize(await signJoin({ rpc, programId, treasury, player, ...lobby }, 2)),
    ).toMatchObject({
      kind: 'finalized',
    });
    expect(await readPool(rpc, (await readLobby(rpc, programId, 1n))!)).toBe(1_900_000n);
  });

  test('upgrades a changed program and keeps its accounts', async () => {
    const { rpc, net, options } = chain;
    const before = await readGlobalConfig(rpc, net.programId);
    const changed = join(options.dataDir, 'changed.so');
    writeFileSync(changed, Buffer.concat([readFileSync(options.programSoPath), Buffer.from('next version')]));
    const upgraded = vi.fn();
    await chain.restart({ programSoPath: changed, logger: { info: upgraded, error: upgraded } });
    expect(upgraded).toHaveBeenCalledExactlyOnceWith(expect.stringContaining('Upgrading'));
    expect(await readGlobalConfig(rpc, net.programId)).toEqual(before);
    const lobby = { lobbyId: 2n, entryFee: 5n, tokenMint: undefined };
    const create = await createLobbyInstruction({ ...net, ...lobby });
    await chain.sendAndFinalize(await signInstructions(rpc, net.superAdmin, [create]));
    expect(await readLobby(rpc, net.programId, 2n)).toMatchObject({ entryFeeAmount: 5n });
    await chain.restart({ programSoPath: changed, logger: { info: upgraded, error: upgraded } });
    expect(upgraded).toHaveBeenCalledTimes(1);
  });
});

describe('starting a localnet', () => {
  test('is refused with NODE_ENV=production', async () => {
    vi.stubEnv('NODE_ENV', 'production');
    await expect(startLocalnet(chain.options)).rejects.toThrow(/must not run with NODE_ENV=production/);
  });

  test('is refused on a folder that is in use', async () => {
    await expect(startLocalnet(chain.options)).rejects.toThrow(/another process/);
  });

  test('releases everything when it fails half-way', async () => {
    const other = await startTestLocalnet();
    await other.net.stop();
    await expect(startLocalnet({ ...other.options, rpcPort: chain.options.rpcPort })).rejects.toThrow(
      /EADDRINUSE/,
    );
    await other.restart();
    expect(await other.rpc.getHealth().send()).toBe('ok');
    await other.dispose();
  });
});

/** Everything the chain says about a transaction, in every encoding. */
async function snapshot(signature: Signature) {
  const { rpc, net } = chain;
  const config = {
    commitment: 'confirmed',
    maxSupportedTransactionVersion: MAX_TRANSACTION_VERSION,
  } as const;
  return {
    status: (await rpc.getSignatureStatuses([signature]).send()).value,
    json: await rpc.getTransaction(signature, { ...config, encoding: 'json' }).send(),
    jsonParsed: await rpc.getTransaction(signature, { ...config, encoding: 'jsonParsed' }).send(),
    base64: await rpc.getTransaction(signature, { ...config, encoding: 'base64' }).send(),
    base58: await rpc.getTransaction(signature, { ...config, encoding: 'base58' }).send(),
    history: await rpc.getSignaturesForAddress(net.treasury).send(),
    treasury: (await rpc.getBalance(net.treasury).send()).value,
    tokens: (await rpc.getTokenSupply(net.testToken.mint).send()).value.amount,
  };
}

async function firstNotification(signature: Signature) {
  const stop = new AbortController();
  const notifications = await createSolanaRpcSubscriptions(chain.net.wsUrl)
    .signatureNotifications(signature, { commitment: 'finalized' })
    .subscribe({ abortSignal: stop.signal });
  for await (const notification of notifications) {
    stop.abort();
    return notification;
  }
  throw new Error('The subscription ended without a word');
}

import { awaitFinality } from '@engulf/chain/await-finality';
import type { Signature } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { settleEntry } from '../../entries/settle-entry.ts';
import type { LobbyRow } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { payoutBatches } from '../../platform/database/money.ts';
import {
  expectBooksToMatchTheChain,
  newPaidPlayer,
  type PaidPlayer,
  payEverything,
  payoutDeps,
  STAKE,
} from '../../testing/paid-players.ts';
import { lamportsOf, pay, payoutsOf, poolOnChain } from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { payLobby, sendThroughNode } from './pay-lobby.ts';

let server: TestServer;
let context: Context;
let lobby: LobbyRow;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
  lobby = await server.lobby('Shallows');
});
afterAll(() => server.dispose());

describe('a payout that is cut off', () => {
  let player: PaidPlayer;
  let before: bigint;

  beforeEach(async () => {
    player = await newPaidPlayer(server, lobby);
    const request = { entryId: player.entryId, kind: 'cashout', amount: STAKE, massMilli: 40_000 } as const;
    await context.db.transaction((tx) => settleEntry(context, tx, request));
    before = await lamportsOf(context, player.wallet);
  });

  const batchesOf = async () => {
    const rows = await context.db.select().from(payoutBatches).where(eq(payoutBatches.lobbyId, lobby.id));
    return rows.filter(({ status }) => status === 'open');
  };

  test('between storing and sending is sent after the restart with the same signature', async () => {
    await payLobby(
      context,
      lobby.id,
      payoutDeps(context, { send: () => Promise.reject(new Error('killed')) }),
    );
    const [written] = await batchesOf();
    expect(written).toBeDefined();
    context = server.afterRestart();
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    const [payout] = await payoutsOf(context, player.wallet);
    expect(payout).toMatchObject({ status: 'completed', batchId: written!.id });
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('after sending is found on the chain and not signed again', async () => {
    let sent = 0;
    const send = async (wire: Parameters<typeof sendThroughNode>[1]) => {
      await sendThroughNode(context, wire);
      sent++;
      throw new Error('killed before the answer');
    };
    await payLobby(context, lobby.id, payoutDeps(context, { send }));
    context = server.afterRestart();
    await payEverything(context, lobby);
    expect(sent).toBe(1);
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is signed again only when the old one can no longer land', async () => {
    const neverSends = payoutDeps(context, { send: async () => undefined });
    await payLobby(context, lobby.id, neverSends);
    const [first] = await batchesOf();
    // It has to expire, 150 blocks later.
    while ((await batchesOf())[0]?.id === first!.id) {
      await payLobby(context, lobby.id, neverSends);
      await new Promise((done) => setTimeout(done, 200));
    }
    const [waiting] = await payoutsOf(context, player.wallet);
    expect(waiting).toMatchObject({ status: 'pending', failedAttempts: 1, notBefore: expect.any(Date) });
    server.advance(5_000);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    const [payout] = await payoutsOf(context, player.wallet);
    expect(payout!.batchId).not.toBe(first!.id);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is not signed again because a node forgot it, even if a new payment hides what it took', async () => {
    const pool = await poolOnChain(context, lobby);
    await payLobby(context, lobby.id, payoutDeps(context));
    const [landed] = await batchesOf();
    await awaitFinality({
      rpc: context.chain.rpc,
      signature: landed!.signature as string as Signature,
      lastValidBlockHeight: landed!.lastValidBlockHeight,
      pollMs: 20,
    });
    await pay(context, await server.newWallet(), lobby);
    expect(await poolOnChain(context, lobby)).toBe(pool);
    const forgetful = withForgetfulNode(landed!.signature);
    await payLobby(forgetful, lobby.id, payoutDeps(forgetful));
    expect(await batchesOf()).toMatchObject([{ id: landed!.id }]);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  /** A node restored from a snapshot: it knows every account but not the transactions that led there. */
  function withForgetfulNode(forgotten: string): Context {
    const { chain } = context;
    const node = chain.rpc;
    const answer = (send: () => Promise<unknown>) => ({ send });
    const answers = {
      getBlockHeight: () => answer(async () => 1_000_000n),
      getSignatureStatuses: () => answer(async () => ({ context: { slot: 1n }, value: [null] })),
      getTransaction: (...params: Parameters<typeof node.getTransaction>) =>
        answer(async () => (params[0] === forgotten ? null : node.getTransaction(...params).send())),
      getSignaturesForAddress: (...params: Parameters<typeof node.getSignaturesForAddress>) =>
        answer(async () =>
          (await node.getSignaturesForAddress(...params).send()).filter(
            (listed) => listed.signature !== forgotten,
          ),
        ),
    };
    const rpc = new Proxy(node, {
      get: (_, method) => Reflect.get(method in answers ? answers : node, method),
    });
    return { ...context, chain: { ...chain, rpc } };
  }

  test('is paid once by two workers that start at the same moment', async () => {
    await Promise.all([
      payLobby(context, lobby.id, payoutDeps(context)),
      payLobby(server.afterRestart(), lobby.id, payoutDeps(context)),
    ]);
    expect(await batchesOf()).toHaveLength(1);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(before + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });
});

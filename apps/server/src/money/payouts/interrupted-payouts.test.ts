import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import {
  decompileTransactionMessage,
  getBase64Encoder,
  getCompiledTransactionMessageDecoder,
  getTransactionDecoder,
  getTransactionMessageComputeUnitPrice,
  type Signature,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { fakeNode, withLog, withNode, withNodes } from '../../../testing/fake-node.ts';
import {
  addLobbyFromBefore,
  expectBooksToMatchTheChain,
  newWinner,
  payEverything,
  payoutDeps,
  STAKE,
  startPaidServer,
  type Winner,
} from '../../../testing/paid-players.ts';
import { lamportsOf, pay, payoutsOf, poolOnChain } from '../../../testing/players.ts';
import { reconcileLobby } from '../../payments/reconcile-lobby.ts';
import { sendThroughNodes } from '../../platform/chain/send-through-nodes.ts';
import { type BatchRow, payoutBatches } from '../../platform/database/money.ts';
import { payLobby } from './pay-lobby.ts';

const { server, ...started } = await startPaidServer();
const lobby = await addLobbyFromBefore(server);
let { context } = started;

describe('a payout of a lobby without a counter that is cut off', () => {
  let player: Winner;

  beforeEach(async () => {
    player = await newWinner(server, lobby);
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
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    const [payout] = await payoutsOf(context, player.wallet);
    expect(payout).toMatchObject({ status: 'completed', batchId: written!.id });
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('after sending is found on the chain and not signed again', async () => {
    let sent = 0;
    const send = async (wire: Parameters<typeof sendThroughNodes>[1]) => {
      await sendThroughNodes(context, wire);
      sent++;
      throw new Error('killed before the answer');
    };
    await payLobby(context, lobby.id, payoutDeps(context, { send }));
    context = server.afterRestart();
    await payEverything(context, lobby);
    expect(sent).toBe(1);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is signed again only when the old one can no longer land, and then bids more', async () => {
    const neverSends = payoutDeps(context, { send: async () => undefined });
    await payLobby(context, lobby.id, neverSends);
    const [first] = await batchesOf();
    // It has to expire, and every node has to be past that by 300 blocks.
    await payLobby(withNode(context, blocksPast(first!, 300n)), lobby.id, neverSends);
    expect(await batchesOf()).toMatchObject([{ id: first!.id }]);
    await payLobby(withNode(context, blocksPast(first!, 301n)), lobby.id, neverSends);
    const [second] = await batchesOf();
    expect(second!.id).not.toBe(first!.id);
    expect(priceOf(second!)).toBe(2n * priceOf(first!));
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    const [payout] = await payoutsOf(context, player.wallet);
    expect(payout).toMatchObject({ status: 'completed', failedAttempts: 0, batchId: second!.id });
    await expectBooksToMatchTheChain(context, lobby);
  });

  test.each([
    ['a new payment', async () => void (await pay(context, await server.newWallet(), lobby))],
    ['a gift', async () => give(STAKE)],
  ])('is not signed again because a node forgot it, even if %s hides what it took', async (_, hide) => {
    const pool = await poolOnChain(context, lobby);
    const landed = await landBatch();
    await hide();
    expect(await poolOnChain(context, lobby)).toBe(pool);
    const { context: forgetful, codes } = withLog(withNode(context, forgetting(landed)));
    await payLobby(forgetful, lobby.id, payoutDeps(forgetful));
    expect(codes).toContain('PAYOUT_UNCERTAIN');
    expect(await batchesOf()).toMatchObject([{ id: landed.id }]);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is not signed again because a node forgot it, even if a payment hides that while the pool is read', async () => {
    const landed = await landBatch();
    const forgetful = withNode(context, forgetting(landed));
    let bookings = 0;
    const bookPayments = async (lobbyId: LobbyId) => {
      await reconcileLobby(forgetful, lobbyId);
      if (bookings++ === 0) await pay(context, await server.newWallet(), lobby);
    };
    await payLobby(forgetful, lobby.id, payoutDeps(forgetful, { bookPayments }));
    expect(bookings).toBe(2);
    expect(await batchesOf()).toMatchObject([{ id: landed.id }]);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is not signed again because a node forgot it together with a payment that hides what it took', async () => {
    const landed = await landBatch();
    await pay(context, await server.newWallet(), lobby);
    const nothing = { getTransaction: async () => null, getSignaturesForAddress: async () => [] };
    const forgetful = withNode(context, { ...forgetting(landed), ...nothing });
    await expect(payLobby(forgetful, lobby.id, payoutDeps(forgetful))).rejects.toThrow('lost its history');
    expect(await batchesOf()).toMatchObject([{ id: landed.id }]);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is not signed again because a node calls it failed, as long as the pool says otherwise', async () => {
    const landed = await landBatch();
    const err = { InstructionError: [0, { Custom: 6005 }] };
    const failing = withNode(context, {
      getSignatureStatuses: async (real) => {
        const { value, ...answer } = await real();
        return { ...answer, value: [{ ...value[0], err }] };
      },
    });
    const { context: watched, codes } = withLog(failing);
    await payLobby(watched, lobby.id, payoutDeps(watched));
    expect(codes).toContain('PAYOUT_UNCERTAIN');
    expect(await batchesOf()).toMatchObject([{ id: landed.id }]);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is not signed again while a second provider does not agree', async () => {
    const landed = await landBatch();
    const { chain } = context;
    // Restored from a snapshot of before the payout: even its balances are of that time.
    const behind = withNode(context, {
      ...forgetting(landed),
      getAccountInfo: async (real) => {
        const answer = await real();
        return { ...answer, value: { ...answer.value, lamports: answer.value.lamports + STAKE } };
      },
    });
    const silent = fakeNode(chain.rpc, { getBlockHeight: () => Promise.reject(new Error('timeout')) });
    const undecided = fakeNode(chain.rpc, { getSignatureStatuses: forgetting(landed).getSignatureStatuses });
    for (const backup of [silent, undecided]) {
      const both = withNodes(context, behind.chain.rpc, backup);
      await payLobby(both, lobby.id, payoutDeps(context));
      expect(await batchesOf()).toMatchObject([{ id: landed.id }]);
    }
    // Nor is it booked: nobody knows which of the two is right.
    const differing = withNodes(context, behind.chain.rpc, chain.rpc);
    await payLobby(differing, lobby.id, payoutDeps(context));
    expect(await batchesOf()).toMatchObject([{ id: landed.id }]);
    // One that has only forgotten it still shows the pool.
    const both = withNodes(context, withNode(context, forgetting(landed)).chain.rpc, chain.rpc);
    await payLobby(both, lobby.id, payoutDeps(context));
    expect(await batchesOf()).toEqual([]);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is not booked because one node shows it as paid, and the operator is told when that lasts', async () => {
    await payLobby(context, lobby.id, payoutDeps(context, { send: async () => undefined }));
    const [batch] = await batchesOf();
    const status = { slot: 1n, err: null, confirmationStatus: 'finalized' };
    const lying = withNode(context, {
      getSignatureStatuses: async (real) => ({ ...(await real()), value: [status] }),
    });
    const both = withNodes(context, lying.chain.rpc, context.chain.rpc);
    const { context: watched, codes } = withLog(both);
    const silently = payoutDeps(watched, { send: async () => undefined });
    for (let look = 0; look < 12; look++) await payLobby(watched, lobby.id, silently);
    expect(codes).toContain('NODES_DISAGREE');
    expect(codes).not.toContain('PAYOUT_UNDECIDED');
    const later = { ...watched, nowMs: () => context.nowMs() + 601_000 };
    for (let look = 0; look < 2; look++) await payLobby(later, lobby.id, silently);
    expect(codes.filter((code) => code === 'PAYOUT_UNDECIDED')).toHaveLength(1);
    expect(await batchesOf()).toMatchObject([{ id: batch!.id }]);
    const expired = withNode(context, blocksPast(batch!, 301n));
    await payLobby(expired, lobby.id, payoutDeps(expired));
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('unsigned, because the signer is away, is dropped once no node can have it, and paid by another', async () => {
    const sign = () => Promise.reject(new Error('the signer does not answer'));
    const unsigned = payoutDeps(context, { signer: { ...payoutDeps(context).signer, sign } as never });
    await payLobby(context, lobby.id, unsigned);
    const [batch] = await batchesOf();
    expect(batch).toMatchObject({ signature: null });
    await payLobby(withNode(context, blocksPast(batch!, 300n)), lobby.id, unsigned);
    expect(await batchesOf()).toMatchObject([{ id: batch!.id }]);
    const later = withNode(context, blocksPast(batch!, 301n));
    await payLobby(
      later,
      lobby.id,
      payoutDeps(context, { signer: { ...payoutDeps(context).signer, sign } as never }),
    );
    expect((await batchesOf())[0]?.id).not.toBe(batch!.id);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('and whose signature was lost is not dropped if a node lists it', async () => {
    await payLobby(context, lobby.id, payoutDeps(context, { send: async () => undefined }));
    const [batch] = await batchesOf();
    await sendThroughNodes(context, batch!.wire as Parameters<typeof sendThroughNodes>[1]);
    await expect
      .poll(() => lamportsOf(context, player.wallet), { timeout: 10_000 })
      .toBe(player.lamportsBefore + STAKE);
    const lost = { signature: null, wire: null };
    await context.db.update(payoutBatches).set(lost).where(eq(payoutBatches.id, batch!.id));
    const sign = () => Promise.reject(new Error('the signer does not answer'));
    const later = withNode(context, blocksPast(batch!, 301n));
    await payLobby(
      later,
      lobby.id,
      payoutDeps(later, { signer: { ...payoutDeps(context).signer, sign } as never }),
    );
    expect(await batchesOf()).toMatchObject([{ id: batch!.id }]);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is sent through every node, of which one is enough', async () => {
    let isSentThroughBackup = false;
    const broken = withNode(context, { sendTransaction: () => Promise.reject(new Error('refused')) });
    const backup = fakeNode(context.chain.rpc, {
      sendTransaction: (real) => {
        isSentThroughBackup = true;
        return real();
      },
    });
    const both = withNodes(context, broken.chain.rpc, backup);
    await payLobby(both, lobby.id, payoutDeps(both));
    expect(isSentThroughBackup).toBe(true);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
  });

  async function landBatch(): Promise<BatchRow> {
    await payLobby(context, lobby.id, payoutDeps(context));
    const [batch] = await batchesOf();
    const fate = await awaitFinality({
      rpc: context.chain.rpc,
      signature: batch!.signature as string as Signature,
      lastValidBlockHeight: batch!.lastValidBlockHeight,
      pollMs: 20,
    });
    expect(fate.kind).toBe('finalized');
    return batch!;
  }

  /** A node that is so many blocks past the last one in which the batch can land. */
  const blocksPast = ({ lastValidBlockHeight }: BatchRow, blocks: bigint) => ({
    getBlockHeight: async () => lastValidBlockHeight + blocks,
    getEpochInfo: async () => {
      const slot = await context.chain.rpc.getSlot({ commitment: 'finalized' }).send();
      return { absoluteSlot: slot + blocks - 1n, blockHeight: lastValidBlockHeight + blocks };
    },
    getLatestBlockhash: async (real: () => Promise<{ value: object }>) => {
      const { value, ...answer } = await real();
      return { ...answer, value: { ...value, lastValidBlockHeight: lastValidBlockHeight + blocks + 150n } };
    },
  });

  /** A node restored from a snapshot: it knows every account but not the transactions that led there. */
  const forgetting = (batch: BatchRow) => ({
    ...blocksPast(batch, 301n),
    getSignatureStatuses: async (real: () => Promise<object>) => ({ ...(await real()), value: [null] }),
    getTransaction: async (real: () => Promise<unknown>, [asked]: readonly unknown[]) =>
      asked === batch.signature ? null : real(),
    getSignaturesForAddress: async (real: () => Promise<{ signature: string }[]>) =>
      (await real()).filter((listed) => listed.signature !== batch.signature),
  });

  async function give(amount: bigint): Promise<void> {
    const destination = await findLobbyConfig(context.chain.programId, lobby.chainLobbyId!);
    const giver = await server.newWallet();
    await server.sendFrom(giver, getTransferSolInstruction({ source: giver, destination, amount }));
  }

  function priceOf({ wire }: BatchRow): bigint {
    const transaction = getTransactionDecoder().decode(getBase64Encoder().encode(wire!));
    const message = decompileTransactionMessage(
      getCompiledTransactionMessageDecoder().decode(transaction.messageBytes),
    );
    if (message.version !== 0) throw new Error('Claims are of version 0');
    return getTransactionMessageComputeUnitPrice(message) ?? 0n;
  }

  test('is paid once by two workers that start at the same moment', async () => {
    await Promise.all([
      payLobby(context, lobby.id, payoutDeps(context)),
      payLobby(server.afterRestart(), lobby.id, payoutDeps(context)),
    ]);
    expect(await batchesOf()).toHaveLength(1);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, player.wallet)).toBe(player.lamportsBefore + STAKE);
    await expectBooksToMatchTheChain(context, lobby);
  });
});

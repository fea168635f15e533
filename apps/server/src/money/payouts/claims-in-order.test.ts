import { randomUUID } from 'node:crypto';
import { batchBytesOf, readClaimCounter } from '@engulf/chain/accounts/claim-counter';
import { awaitFinality } from '@engulf/chain/node/await-finality';
import { buildClaimMessage } from '@engulf/chain/payouts/claim-message';
import {
  type Base64EncodedWireTransaction,
  compileTransaction,
  getBase64EncodedWireTransaction,
  signature as toSignature,
} from '@solana/kit';
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
import { lamportsOf, pay, payoutsOf } from '../../../testing/players.ts';
import type { LobbyRow, PaidLobby } from '../../lobbies/lobby-rows.ts';
import { reconcileLobby } from '../../payments/reconcile-lobby.ts';
import { explainWithdrawal } from '../../payments/unknown-claim.ts';
import { sendThroughNodes } from '../../platform/chain/send-through-nodes.ts';
import type { Context } from '../../platform/context.ts';
import { type BatchRow, payoutBatches } from '../../platform/database/money.ts';
import { batchSchema, describedBy } from '../signer/signer.ts';
import { payLobby } from './pay-lobby.ts';

const { server, lobby, context } = await startPaidServer();
const oldLobby = await addLobbyFromBefore(server);
let winner: Winner;

const batchesOf = (of: LobbyRow = lobby) =>
  context.db
    .select()
    .from(payoutBatches)
    .where(eq(payoutBatches.lobbyId, of.id))
    .orderBy(payoutBatches.createdAt);
const openBatch = async (of?: LobbyRow) => (await batchesOf(of)).find(({ status }) => status === 'open');
const counter = () => readClaimCounter(context.chain.rpc, context.chain.programId, lobby.chainLobbyId!);

/** A node that is so many blocks past the last one in which the batch can land. */
const blocksPast = ({ lastValidBlockHeight }: BatchRow, blocks: bigint) => ({
  getBlockHeight: async () => lastValidBlockHeight + blocks,
  getLatestBlockhash: async (real: () => Promise<{ value: object }>) => {
    const { value, ...answer } = await real();
    return { ...answer, value: { ...value, lastValidBlockHeight: lastValidBlockHeight + blocks + 150n } };
  },
});

async function expectPaidOnce(): Promise<void> {
  expect(await lamportsOf(context, winner.wallet)).toBe(winner.lamportsBefore + STAKE);
  expect(await payoutsOf(context, winner.wallet)).toMatchObject([{ status: 'completed' }]);
  await reconcileLobby(context, lobby.id);
  await expectBooksToMatchTheChain(context, lobby);
}

const neverSends = () => payoutDeps(context, { send: async () => undefined });
const send = ({ wire }: BatchRow, through: Context = context) =>
  sendThroughNodes(through, wire as Base64EncodedWireTransaction);
const land = async (batch: BatchRow) => {
  await send(batch);
  const { signature, lastValidBlockHeight } = batch;
  const request = { signature: toSignature(signature!), lastValidBlockHeight, pollMs: 20 };
  return awaitFinality({ rpc: context.chain.rpc, ...request });
};

describe('a payout in order', () => {
  beforeEach(async () => {
    winner = await newWinner(server, lobby);
  });

  test('is paid once although the history of the node lags, the server is killed, and somebody pays meanwhile', async () => {
    await payLobby(context, lobby.id, neverSends());
    const first = (await openBatch())!;
    await land(first);
    await pay(context, await server.newWallet(), lobby);
    // Accounts are new, but of the claim there is neither status nor transaction nor a list.
    const lagging = withNode(server.afterRestart(), {
      ...blocksPast(first, 450n),
      getSignatureStatuses: async (real) => ({ ...(await real()), value: [null] }),
      getTransaction: async () => null,
      getSignaturesForAddress: async () => [],
    });
    await payLobby(lagging, lobby.id, payoutDeps(lagging));
    await payEverything(context, lobby);
    await expectPaidOnce();
  });

  test('is paid once although a node lies that the claim has not landed, and it is signed again', async () => {
    const before = await counter();
    await payLobby(context, lobby.id, neverSends());
    const first = (await openBatch())!;
    // Its accounts are those of before the claim, and its height is one at which the claim cannot land any more.
    const lying = withNode(context, blocksPast(first, 1n));
    await payLobby(lying, lobby.id, neverSends());
    const second = (await openBatch())!;
    expect(second.id).not.toBe(first.id);
    expect([first.number, second.number]).toEqual([before!.nextNumber, before!.nextNumber]);
    expect(await land(first)).toMatchObject({ kind: 'finalized' });
    await send(second).catch(() => undefined);
    await payEverything(context, lobby);
    expect(await counter()).toMatchObject({ nextNumber: before!.nextNumber + 1n, lastBatchId: first.id });
    // The books follow the chain: the first one, which was given up, has paid.
    const rows = (await batchesOf()).filter(({ id }) => id === first.id || id === second.id);
    expect(rows.map(({ status }) => status)).toEqual(['finalized', 'expired']);
    await expectPaidOnce();
  });

  test('goes on through a good node while the first one is away', async () => {
    const away = () => Promise.reject(new Error('timeout'));
    const dead = new Proxy(context.chain.rpc, { get: () => () => ({ send: away }) });
    const both = withNodes(context, dead, context.chain.rpc);
    await payEverything(both, lobby);
    await expectPaidOnce();
  });

  test('goes on through a good node although the other one shows a pool that is emptier', async () => {
    const emptier = withNode(context, {
      getAccountInfo: async (real) => {
        const answer = await real();
        if (answer.value?.lamports === undefined) return answer;
        return { ...answer, value: { ...answer.value, lamports: answer.value.lamports - 1_000n } };
      },
    });
    await payEverything(withNodes(context, emptier.chain.rpc, context.chain.rpc), lobby);
    await expectPaidOnce();
  });

  test('is not booked because one of two nodes shows a counter that the chain does not have', async () => {
    await payLobby(context, lobby.id, neverSends());
    const batch = (await openBatch())!;
    const forged = withCounterAhead(batch.number! + 1n, batch.id);
    const both = withNodes(context, forged.chain.rpc, context.chain.rpc);
    const { context: watched, codes } = withLog(both);
    for (let look = 0; look < 12; look++) await payLobby(watched, lobby.id, neverSends());
    expect(codes).toContain('NODES_DISAGREE');
    expect(await payoutsOf(context, winner.wallet)).toMatchObject([{ status: 'processing' }]);
    // What is sent on meanwhile lands, and then both show it.
    await payEverything(both, lobby);
    await expectPaidOnce();
  });

  test('is made although one of two nodes has long shown a counter that is far ahead, and its claim was lost', async () => {
    await payLobby(context, lobby.id, neverSends());
    const batch = (await openBatch())!;
    const liar = withCounterAhead(batch.number! + 1_000_000n).chain.rpc;
    const both = withNodes(context, liar, context.chain.rpc);
    await payLobby(both, lobby.id, neverSends());
    server.advance(301_000);
    for (let look = 0; look < 12; look++) await payLobby(both, lobby.id, neverSends());
    expect(await openBatch()).toMatchObject({ id: batch.id });
    const later = withNodes(context, liar, withNode(context, blocksPast(batch, 1n)).chain.rpc);
    await payLobby(later, lobby.id, neverSends());
    expect(await batchesOf()).toContainEqual(expect.objectContaining({ id: batch.id, status: 'expired' }));
    await payEverything(both, lobby);
    await expectPaidOnce();
  });

  test('waits while the chain has made a claim that the books do not know', async () => {
    await payLobby(context, lobby.id, neverSends());
    const batch = (await openBatch())!;
    await land(batch);
    const { nextNumber } = (await counter())!;
    const { context: watched, codes } = withLog(withCounterAhead(nextNumber + 1n));
    await payLobby(watched, lobby.id, payoutDeps(watched));
    await newWinner(server, lobby);
    await payLobby(watched, lobby.id, payoutDeps(watched));
    expect(codes).toContain('CLAIMS_UNKNOWN');
    expect(await openBatch()).toBeUndefined();
    await payEverything(context, lobby);
    await expectPaidOnce();
  });

  test('is not booked by a node that shows it as final before it has landed', async () => {
    await payLobby(context, lobby.id, neverSends());
    const batch = (await openBatch())!;
    const meta = { err: null, innerInstructions: [], loadedAddresses: { readonly: [], writable: [] } };
    const transaction = { transaction: [batch.wire, 'base64'], meta } as never;
    const shown = { signature: batch.signature!, slot: 1n, amount: STAKE, transaction };
    expect(await explainWithdrawal(context, lobby as PaidLobby, shown)).toBe(false);
    expect(await openBatch()).toMatchObject({ id: batch.id });
    await land(batch);
    expect(await explainWithdrawal(context, lobby as PaidLobby, shown)).toBe(true);
    expect(await openBatch()).toBeUndefined();
    await expectPaidOnce();
  });

  test('is not booked by a later claim while an earlier one is unknown, which would be forgotten by that', async () => {
    await payLobby(context, lobby.id, neverSends());
    const batch = (await openBatch())!;
    const described = batchSchema.parse(batch.description);
    const later = { ...described, batchId: randomUUID(), number: batch.number! + 1n };
    const message = await buildClaimMessage(describedBy(later));
    const wire = getBase64EncodedWireTransaction(compileTransaction(message));
    const meta = { err: null, innerInstructions: [], loadedAddresses: { readonly: [], writable: [] } };
    const transaction = { transaction: [wire, 'base64'], meta } as never;
    const shown = { signature: batch.signature!, slot: 1n, amount: STAKE, transaction };
    const ahead = withCounterAhead(batch.number! + 2n);
    expect(await explainWithdrawal(ahead, lobby as PaidLobby, shown)).toBe(false);
    await payEverything(context, lobby);
    await expectPaidOnce();
  });

  test('is dropped unsigned when its time is over, so that a signer that is down holds up nobody', async () => {
    const sign = () => Promise.reject(new Error('the signer does not answer'));
    await payLobby(
      context,
      lobby.id,
      payoutDeps(context, { signer: { ...payoutDeps(context).signer, sign } as never }),
    );
    const unsigned = (await openBatch())!;
    expect(unsigned.signature).toBeNull();
    const later = withNode(context, blocksPast(unsigned, 1n));
    await payLobby(
      later,
      lobby.id,
      payoutDeps(later, {
        signer: { ...payoutDeps(context).signer, sign } as never,
        send: async () => undefined,
      }),
    );
    expect(await batchesOf()).toContainEqual(expect.objectContaining({ id: unsigned.id, status: 'expired' }));
    const open = await openBatch();
    if (open) await payLobby(withNode(context, blocksPast(open, 1n)), lobby.id, neverSends());
    await payEverything(context, lobby);
    await expectPaidOnce();
  });

  /** As if others had claimed since. */
  function withCounterAhead(nextNumber: bigint, lastBatchId?: string): Context {
    return withNode(context, {
      getAccountInfo: async (real) => {
        const answer = await real();
        if (!isCounter(answer)) return answer;
        const data = Buffer.from(answer.value.data[0], 'base64');
        data.writeBigUInt64LE(nextNumber, 16);
        if (lastBatchId !== undefined) data.set(batchBytesOf(lastBatchId), 24);
        return { ...answer, value: { ...answer.value, data: [data.toString('base64'), 'base64'] } };
      },
    });
  }
  const isCounter = (answer: { value?: { data: [string] } | null }) =>
    answer.value != null && Buffer.from(answer.value.data[0], 'base64').length === 41;
});

describe('a lobby without a counter', () => {
  beforeEach(async () => {
    winner = await newWinner(server, oldLobby);
  });

  const shifted = (blocks: bigint) => ({
    getLatestBlockhash: async (real: () => Promise<{ value: { lastValidBlockHeight: bigint } }>) => {
      const { value, ...answer } = await real();
      const lastValidBlockHeight = value.lastValidBlockHeight + blocks;
      return { ...answer, value: { ...value, lastValidBlockHeight } };
    },
  });

  test.each([-400n, 400n])(
    'signs nothing whose last valid height is wrong by %s, whichever node says so',
    async (blocks) => {
      const { rpc } = context.chain;
      const first = withNode(context, shifted(blocks));
      const both = withNodes(context, first.chain.rpc, fakeNode(rpc, {}));
      await expect(payLobby(both, oldLobby.id, payoutDeps(both))).rejects.toThrow('does not fit the height');
      expect(await openBatch(oldLobby)).toBeUndefined();
      await payEverything(context, oldLobby);
      expect(await lamportsOf(context, winner.wallet)).toBe(winner.lamportsBefore + STAKE);
    },
  );
});

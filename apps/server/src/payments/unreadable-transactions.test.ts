import { findLobbyConfig } from '@engulf/chain/accounts/pdas';
import {
  SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION,
  SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR,
  SolanaError,
} from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { eq } from 'drizzle-orm';
import { afterEach, describe, expect, onTestFinished, test } from 'vitest';
import { fakeNode, withLog, withNode, withNodes } from '../../testing/fake-node.ts';
import { expectBooksToMatchTheChain, STAKE, startPaidServer } from '../../testing/paid-players.ts';
import { ask, confirm, createUser, newestEntry, pay, payoutsOf, verifyAll } from '../../testing/players.ts';
import { randomBase58 } from '../../testing/random-base58.ts';
import { giftsOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import { payments } from '../platform/database/games.ts';
import { unreadableTransactions } from '../platform/database/money.ts';
import { reconcileLobby } from './reconcile-lobby.ts';

const { server, context, lobby } = await startPaidServer();

afterEach(async () => {
  server.advance(4_000_000);
  await reconcileLobby(context, lobby.id);
  await expectBooksToMatchTheChain(context, lobby);
  expect(await putAside()).toEqual([]);
});

const putAside = () =>
  context.db.select().from(unreadableTransactions).where(eq(unreadableTransactions.lobbyId, lobby.id));

const unsupported = new SolanaError(SOLANA_ERROR__JSON_RPC__SERVER_ERROR_UNSUPPORTED_TRANSACTION_VERSION, {
  __serverMessage: 'Transaction version (2) is not supported by the requesting client',
});
const httpError = (statusCode: number) =>
  new SolanaError(SOLANA_ERROR__RPC__TRANSPORT_HTTP_ERROR, {
    headers: new Headers(),
    message: 'no',
    statusCode,
  });

type Real = () => Promise<{ meta: object }>;
const refusing = (error: Error) => () => Promise.reject(error);
const BAD_ANSWERS: [string, (real: Real) => Promise<unknown>][] = [
  ['-32015', refusing(unsupported)],
  ['null', async () => null],
  ['garbage', async () => ({ slot: 5n, meta: { err: null, innerInstructions: [] }, transaction: 'garbage' })],
  ['a body that is not JSON', refusing(new SyntaxError('Unexpected token <'))],
  ['HTTP 500', refusing(httpError(500))],
  ['HTTP 503', refusing(httpError(503))],
  ['no outcome', async (real) => ({ ...(await real()), meta: null })],
  [
    'no inner instructions',
    async (real) => {
      const answer = await real();
      return { ...answer, meta: { ...answer.meta, innerInstructions: null } };
    },
  ],
  [
    'a failure, though it lists it as successful',
    async (real) => {
      const answer = await real();
      return { ...answer, meta: { ...answer.meta, err: 'AccountInUse' } };
    },
  ],
];

describe('a payment that the node answers with', () => {
  test.each(BAD_ANSWERS)('%s is put aside with an alarm; the rest of the lobby goes on', async (_, bad) => {
    onTestFinished(server.stopClock());
    const [first, second] = [await server.newWallet(), await server.newWallet()];
    const user = await createUser(context, second);
    await ask(context, user, lobby);
    const hidden = await pay(context, first, lobby);
    await pay(context, second, lobby);
    const { context: faulty, codes } = withLog(
      withNode(context, {
        getTransaction: (real, [signature]) => (signature === hidden ? bad(real) : real()),
      }),
    );
    await reconcileLobby(faulty, lobby.id);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent', stake: STAKE });
    expect(await putAside()).toMatchObject([{ signature: hidden, attempts: 1 }]);
    expect(codes).toEqual([]);
    expect(await payoutsOf(context, first)).toEqual([]);

    await reconcileLobby(faulty, lobby.id);
    expect(await putAside()).toMatchObject([{ attempts: 1 }]);
    for (const elapsedMs of [6_000, 11_000]) {
      server.advance(elapsedMs);
      await reconcileLobby(faulty, lobby.id);
    }
    expect(codes).toContain('TRANSACTION_UNREADABLE');
    expect(await putAside()).toMatchObject([{ attempts: 3, reason: expect.any(String) }]);

    server.advance(30_000);
    await reconcileLobby(context, lobby.id);
    expect(await putAside()).toEqual([]);
    expect(await payoutsOf(context, first)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('null is read from another provider at once', async () => {
    const wallet = await server.newWallet();
    await pay(context, wallet, lobby);
    const blind = withNode(context, { getTransaction: async () => null });
    const [first, second] = [fakeNode(context.chain.rpc, {}), fakeNode(context.chain.rpc, {})];
    await reconcileLobby(withNodes(context, blind.chain.rpc, first, second), lobby.id);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE }]);
  });

  test('none of its transfers is put aside, not taken for a gift', async () => {
    const wallet = await server.newWallet();
    const signature = await pay(context, wallet, lobby);
    const partial = withNode(context, {
      getTransaction: async (real) => {
        const answer = await real();
        return { ...answer, meta: { ...answer.meta, innerInstructions: [] } };
      },
    });
    await reconcileLobby(partial, lobby.id);
    expect(await putAside()).toMatchObject([{ signature, reason: 'transfers of a payment are missing' }]);
    server.advance(6_000);
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('an outage of the node puts nothing aside, and the lobby waits for it', async () => {
    const wallet = await server.newWallet();
    await pay(context, wallet, lobby);
    // A transaction that is listed as failed after it need not be read, and says nothing about the node.
    const failed = { signature: randomBase58(64), err: 'AccountInUse', memo: null };
    const down = withNode(context, {
      getTransaction: refusing(httpError(503)),
      getSignaturesForAddress: async (real, [, { before }]) => {
        const page: { slot: bigint }[] = await real();
        return before ? page : [{ ...failed, slot: page[0]!.slot + 1n }, ...page];
      },
    });
    await expect(reconcileLobby(down, lobby.id)).rejects.toThrow();
    expect(await putAside()).toEqual([]);
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE }]);
  });
});

describe('a gift whose balances the node does not show', () => {
  const give = async () => {
    const giver = await server.newWallet();
    const destination = await findLobbyConfig(context.chain.programId, lobby.chainLobbyId!);
    await server.sendFrom(giver, getTransferSolInstruction({ source: giver, destination, amount: 5n }));
  };
  const blind = () =>
    withNode(context, {
      getTransaction: async (real: Real) => {
        const answer = await real();
        return { ...answer, meta: { ...answer.meta, preBalances: [], postBalances: [] } };
      },
    });

  test('is put aside, and booked once they can be read', async () => {
    const given = await readBalance(context.db, giftsOf(lobby.id));
    await give();
    await reconcileLobby(blind(), lobby.id);
    expect(await putAside()).toMatchObject([{ attempts: 1, reason: 'its balances are missing' }]);
    server.advance(6_000);
    await reconcileLobby(context, lobby.id);
    expect(await putAside()).toEqual([]);
    expect(await readBalance(context.db, giftsOf(lobby.id))).toBe(given + 5n);
  });

  test('is read from another provider at once', async () => {
    const given = await readBalance(context.db, giftsOf(lobby.id));
    await give();
    const { rpc } = context.chain;
    await reconcileLobby(withNodes(context, blind().chain.rpc, rpc, rpc), lobby.id);
    expect(await putAside()).toEqual([]);
    expect(await readBalance(context.db, giftsOf(lobby.id))).toBe(given + 5n);
  });
});

test('a refused claim of a signature that no node could show gets its seat once it can be read', async () => {
  const wallet = await server.newWallet();
  const user = await createUser(context, wallet);
  await ask(context, user, lobby);
  const signature = await pay(context, wallet, lobby);
  await confirm(context, user, lobby, signature);
  const rows = () => context.db.select().from(payments).where(eq(payments.signature, signature));
  const blind = withNode(context, { getTransaction: async () => null });
  await verifyAll(blind);
  expect(await rows()).toMatchObject([{ status: 'verifying' }]);
  await verifyAll(withNode(blind, { getBlockHeight: async (real) => (await real()) + 1_600n }));
  expect(await rows()).toMatchObject([{ status: 'refused' }]);
  await reconcileLobby(context, lobby.id);
  expect(await rows()).toMatchObject([{ status: 'verified' }]);
  expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent', stake: STAKE });
});

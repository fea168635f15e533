import { findLobbyConfig, findTokenAccount } from '@engulf/chain/accounts/pdas';
import { tokenProgramOf } from '@engulf/chain/payouts/reward-payees';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { AccountRole, address } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { eq } from 'drizzle-orm';
import { beforeEach, describe, expect, test } from 'vitest';
import { fakeNode, withLog, withNode, withNodes } from '../../testing/fake-node.ts';
import { expectBooksToMatchTheChain, STAKE, startPaidServer } from '../../testing/paid-players.ts';
import { ask, confirm, newestEntry, newPlayer, pay, payoutsOf, verifyAll } from '../../testing/players.ts';
import type { LobbyRow, PaidLobby } from '../lobbies/lobby-rows.ts';
import { giftsOf } from '../money/ledger/accounts.ts';
import { readBalance } from '../money/ledger/post.ts';
import { readPoolReadings } from '../money/pool-readings.ts';
import { checkSolvency, comparePool } from '../money/solvency.ts';
import type { Context } from '../platform/context.ts';
import { lobbyPools, reconciledTransactions } from '../platform/database/money.ts';
import { reconcileLobby } from './reconcile-lobby.ts';

const { server, context, lobby } = await startPaidServer();
beforeEach(() => reconcileLobby(context, lobby.id));

const surpluses = new Set<LobbyId>();

/** What the worker does every minute. */
async function inspect(inspected: Context, target: LobbyRow = lobby): Promise<string[]> {
  const { context: watched, codes } = withLog(inspected);
  await checkSolvency(watched, target.id, {
    searchUnproven: (lobbyId) => reconcileLobby(watched, lobbyId, 'unproven'),
    surpluses,
  });
  return codes;
}

const skipping = (signature: string) =>
  withNode(context, {
    getSignaturesForAddress: async (real) =>
      (await real()).filter((listed: { signature: string }) => listed.signature !== signature),
  });

describe('a payment that a listing misses', () => {
  const setCursor = (reconciledSlot: bigint) =>
    context.db.update(lobbyPools).set({ reconciledSlot }).where(eq(lobbyPools.lobbyId, lobby.id));

  test('is found by the next listing, although the cursor is past it', async () => {
    const [missed, later] = [await server.newWallet(), await server.newWallet()];
    const signature = await pay(context, missed, lobby);
    await pay(context, later, lobby);
    await reconcileLobby(skipping(signature), lobby.id);
    expect(await payoutsOf(context, later)).toHaveLength(1);
    expect(await payoutsOf(context, missed)).toEqual([]);
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, missed)).toMatchObject([{ amount: STAKE, isRefund: true }]);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is found through the surplus in the pool when listings no longer reach back to it', async () => {
    expect(await inspect(context)).toEqual([]);
    const wallet = await server.newWallet();
    const signature = await pay(context, wallet, lobby);
    await setCursor(1_000_000n);
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, wallet)).toEqual([]);
    // Restored, because no node is at that slot.
    await setCursor(1n);
    // It may be one that is just being decided, as after a restart; in the next minute it is not.
    expect(await inspect(skipping(signature))).toEqual([]);
    expect(await inspect(skipping(signature))).toEqual(['POOL_SURPLUS']);
    expect(await inspect(context)).toEqual([]);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE }]);
    await expectBooksToMatchTheChain(context, lobby);
  });
});

describe('a payment that a listing calls failed', () => {
  const failing = (signature: string) =>
    fakeNode(context.chain.rpc, {
      getSignaturesForAddress: async (real) =>
        (await real()).map((listed: { signature: string }) =>
          listed.signature === signature ? { ...listed, err: 'AccountInUse' } : listed,
        ),
    });

  test('is found once it is listed as it is', async () => {
    const wallet = await server.newWallet();
    const signature = await pay(context, wallet, lobby);
    const lied = withNodes(context, failing(signature));
    await reconcileLobby(lied, lobby.id);
    expect(await payoutsOf(context, wallet)).toEqual([]);
    expect(await inspect(lied)).toEqual([]);
    expect(await inspect(lied)).toEqual(['POOL_SURPLUS']);
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('is found by a node that says otherwise, whichever is asked first', async () => {
    for (const isFirst of [true, false]) {
      const wallet = await server.newWallet();
      const lying = failing(await pay(context, wallet, lobby));
      const { rpc } = context.chain;
      const divided = isFirst ? withNodes(context, lying, rpc) : withNodes(context, rpc, lying);
      await reconcileLobby(divided, lobby.id, 'unproven');
      expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE }]);
    }
  });
});

describe('a payment that one of two nodes shows', () => {
  const unaware = (signature: string) =>
    fakeNode(context.chain.rpc, {
      getSignatureStatuses: async (real) => ({ ...(await real()), value: [null] }),
      getTransaction: async (real, [asked]) => (asked === signature ? null : real()),
    });

  test('counts when the other shows it, too', async () => {
    const { user, wallet } = await newPlayer(server);
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    await confirm(context, user, lobby, signature);
    const { rpc } = context.chain;
    for (const divided of [
      withNodes(context, rpc, unaware(signature)),
      withNodes(context, unaware(signature), rpc),
    ]) {
      await verifyAll(divided);
      await reconcileLobby(divided, lobby.id, 'unproven');
      expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_processing', stake: 0n });
    }
    server.advance(30_000);
    await verifyAll(withNodes(context, rpc, rpc));
    await reconcileLobby(context, lobby.id);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent', stake: STAKE });
    await expectBooksToMatchTheChain(context, lobby);
  });
});

describe('transactions that only name lobbies', () => {
  test('are read once for all of them, and not one after the other', async () => {
    const lobbies = [lobby, await server.lobby('The Deep')];
    const { programId, rpc } = context.chain;
    const configs = await Promise.all(lobbies.map((one) => findLobbyConfig(programId, one.chainLobbyId!)));
    for (const one of lobbies) await reconcileLobby(context, one.id);
    const wallet = await server.newWallet();
    const naming = (amount: bigint) => ({
      ...getTransferSolInstruction({ source: wallet, destination: wallet.address, amount }),
    });
    for (let nth = 0; nth < 6; nth++) {
      const instruction = naming(BigInt(nth + 1));
      const accounts = configs.map((config) => ({ address: config, role: AccountRole.READONLY }));
      const named = { ...instruction, accounts: [...instruction.accounts, ...accounts] };
      await server.sendFrom(wallet, named);
    }
    let reading = 0;
    let most = 0;
    const asked: string[] = [];
    const counting = withNodes(
      context,
      fakeNode(rpc, {
        getTransaction: async (real, [signature]) => {
          asked.push(signature);
          reading++;
          most = Math.max(most, reading);
          return real().finally(() => reading--);
        },
      }),
    );
    for (const one of lobbies) await reconcileLobby(counting, one.id);
    expect(asked).toHaveLength(6);
    expect(new Set(asked).size).toBe(6);
    expect(most).toBeGreaterThanOrEqual(6);
  });
});

describe('the pool', () => {
  test('is believed about only if two nodes show the same', async () => {
    const rich = fakeNode(context.chain.rpc, {
      getAccountInfo: async (real) => {
        const answer = await real();
        return {
          ...answer,
          value: answer.value && { ...answer.value, lamports: answer.value.lamports + 7n },
        };
      },
    });
    const away = fakeNode(context.chain.rpc, { getAccountInfo: () => Promise.reject(new Error('away')) });
    const { rpc } = context.chain;
    const lobbyRow = lobby as PaidLobby;
    expect(await comparePool(withNodes(context, rich, rpc), lobbyRow)).toBeUndefined();
    expect(await comparePool(withNodes(context, rpc, away), lobbyRow)).toMatchObject({ isAgreed: false });
    expect(await comparePool(withNodes(context, rpc, rpc), lobbyRow)).toMatchObject({ isAgreed: true });
  });

  test('keeps equal to the books when somebody gives lamports to it, which are booked once', async () => {
    const giver = await server.newWallet();
    const destination = await findLobbyConfig(context.chain.programId, lobby.chainLobbyId!);
    const given = await readBalance(context.db, giftsOf(lobby.id));
    await server.sendFrom(giver, getTransferSolInstruction({ source: giver, destination, amount: 5n }));
    await Promise.all([reconcileLobby(context, lobby.id), reconcileLobby(context, lobby.id, 'unproven')]);
    await reconcileLobby(context, lobby.id);
    expect(await readBalance(context.db, giftsOf(lobby.id))).toBe(given + 5n);
    await expectBooksToMatchTheChain(context, lobby);
    expect(await inspect(context)).toEqual([]);
    expect((await readPoolReadings(context.db, lobby.id)).provenSlot).toEqual(expect.any(BigInt));
  });

  test('keeps equal to the books when somebody gives tokens to it without naming the lobby', async () => {
    const tank = await server.lobby('Gulp Tank');
    const mint = address(tank.tokenMint!);
    const tokenProgram = await tokenProgramOf(context.chain.rpc, mint);
    const giver = await server.newWallet({ lamports: 1_000_000_000n, tokens: 100_000_000n });
    await pay(context, giver, tank);
    const owner = await findLobbyConfig(context.chain.programId, tank.chainLobbyId!);
    const accountOf = (wallet: typeof owner) => findTokenAccount({ owner: wallet, mint, tokenProgram });
    const TRANSFER_CHECKED = 12;
    await server.sendFrom(giver, {
      programAddress: tokenProgram,
      accounts: [
        { address: await accountOf(giver.address), role: AccountRole.WRITABLE },
        { address: mint, role: AccountRole.READONLY },
        { address: await accountOf(owner), role: AccountRole.WRITABLE },
        { address: giver.address, role: AccountRole.READONLY_SIGNER },
      ],
      data: Uint8Array.of(TRANSFER_CHECKED, 7, 0, 0, 0, 0, 0, 0, 0, tank.tokenDecimals),
    });
    await reconcileLobby(context, tank.id);
    expect(await readBalance(context.db, giftsOf(tank.id))).toBe(7n);
    await expectBooksToMatchTheChain(context, tank);
    expect(await inspect(context, tank)).toEqual([]);
  });

  test('raises a warning when gifts are charged with a withdrawal that the books do not know of', async () => {
    const deep = await server.lobby('The Deep');
    const giver = await server.newWallet();
    const destination = await findLobbyConfig(context.chain.programId, deep.chainLobbyId!);
    const give = (amount: bigint) =>
      server.sendFrom(giver, getTransferSolInstruction({ source: giver, destination, amount }));
    await give(5n);
    await reconcileLobby(context, deep.id);
    await give(3n);
    // Shows the second transfer the other way round, as if the pool had paid.
    const reversed = withNode(context, {
      getTransaction: async (real) => {
        const { meta, ...answer } = await real();
        const { preBalances, postBalances } = meta;
        return { ...answer, meta: { ...meta, preBalances: postBalances, postBalances: preBalances } };
      },
    });
    const { context: watched, codes } = withLog(reversed);
    await reconcileLobby(watched, deep.id);
    expect(codes).toEqual(['WITHDRAWAL_CHARGED_TO_GIFTS']);
    expect(await readBalance(context.db, giftsOf(deep.id))).toBe(2n);
    // As after a kill between the booking and the note that the transaction is done.
    const { reconciledSlot: slot } = await readPoolReadings(context.db, deep.id);
    await context.db.delete(reconciledTransactions).where(eq(reconciledTransactions.slot, slot!));
    await reconcileLobby(watched, deep.id);
    expect(codes).toEqual(['WITHDRAWAL_CHARGED_TO_GIFTS']);
    expect(await readBalance(context.db, giftsOf(deep.id))).toBe(2n);
  });

  test('is not compared by a node that is behind the books', async () => {
    const lagging = withNode(context, {
      getAccountInfo: async (real) => {
        const answer = await real();
        return { context: { slot: 1n }, value: { ...answer.value, lamports: 2_000_000n } };
      },
    });
    expect(await inspect(lagging)).toEqual([]);
  });

  test('that holds less than the books raises an alarm', async () => {
    const robbed = withNode(context, {
      getAccountInfo: async (real) => {
        const answer = await real();
        return { ...answer, value: { ...answer.value, lamports: answer.value.lamports - 1n } };
      },
    });
    expect(await inspect(robbed)).toEqual(['POOL_SHORT']);
  });
});

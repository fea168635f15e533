import { findTokenAccount } from '@engulf/chain/accounts/pdas';
import { tokenProgramOf } from '@engulf/chain/payouts/reward-payees';
import { AccountRole, createKeyPairSignerFromBytes, type KeyPairSigner } from '@solana/kit';
import { getTransferSolInstruction } from '@solana-program/system';
import { and, eq, sql } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import {
  expectBooksToMatchTheChain,
  newPaidPlayer,
  payEverything,
  payoutDeps,
  settle,
  startPaidServer,
} from '../../../testing/paid-players.ts';
import { createUser, enter, lamportsOf, pay, payoutsOf } from '../../../testing/players.ts';
import { reconcileLobby } from '../../payments/reconcile-lobby.ts';
import { payouts } from '../../platform/database/money.ts';
import { readGamesHistory } from '../../stats/history.ts';
import { payLobby } from './pay-lobby.ts';

const { server, context, lobby } = await startPaidServer();

describe('a payout that the chain would refuse', () => {
  test('of less than the rent minimum waits for its wallet and holds nobody up', async () => {
    const [empty, other] = [await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby)];
    await giveAwayAll(empty.wallet, other.wallet);
    await settle(context, empty, { kind: 'forfeit', amount: 500_000n, massMilli: 400 });
    await settle(context, other);
    const payout = async () => {
      await payLobby(context, lobby.id, payoutDeps(context));
      return payoutsOf(context, other.wallet);
    };
    await expect.poll(payout, { timeout: 30_000 }).toMatchObject([{ status: 'completed' }]);
    await payLobby(context, lobby.id, payoutDeps(context));
    expect(await payoutsOf(context, empty.wallet)).toMatchObject([{ status: 'pending', amount: 500_000n }]);
    await server.chain.test!.fund(empty.wallet.address, { lamports: 1_000_000n });
    server.advance(61_000);
    await payEverything(context, lobby);
    expect(await lamportsOf(context, empty.wallet)).toBe(1_500_000n);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('of a refund waits until its wallet has a token account, which is not created for it', async () => {
    const tank = await server.lobby('Gulp Tank');
    const wallet = await server.newWallet({ lamports: 1_000_000_000n, tokens: tank.entryFee });
    await pay(context, wallet, tank);
    await closeTokenAccount(wallet);
    await reconcileLobby(context, tank.id);
    await payLobby(context, tank.id, payoutDeps(context));
    expect(await payoutsOf(context, wallet)).toMatchObject([
      { status: 'pending', notBefore: expect.any(Date) },
    ]);
    await server.chain.test!.fund(wallet.address, { tokens: 1n });
    server.advance(61_000);
    await expect
      .poll(
        async () => {
          await payLobby(context, tank.id, payoutDeps(context));
          return payoutsOf(context, wallet);
        },
        { timeout: 30_000 },
      )
      .toMatchObject([{ status: 'completed' }]);
  });

  test('of a winner who closed the token account waits, is told to the player, and no rent is given away', async () => {
    const tank = await server.lobby('Gulp Tank');
    const keeper = await server.newWallet({ lamports: 1_000_000_000n, tokens: 1n });
    const wallet = await server.newWallet({ lamports: 1_000_000_000n, tokens: tank.entryFee });
    const user = await createUser(context, wallet);
    const entryId = await enter(context, user, wallet, tank);
    await giveTokens(wallet, keeper);
    await closeTokenAccount(wallet);
    await settle(context, { entryId }, { amount: undefined });
    const lamports = await lamportsOf(context, wallet);
    for (let round = 0; round < 3; round++) {
      await payLobby(context, tank.id, payoutDeps(context));
      const { data } = await readGamesHistory(context, user.id, 1);
      expect(data.data).toMatchObject([{ status: 'pending', waitsFor: 'tokenAccount' }]);
      server.advance(61_000);
    }
    expect(await lamportsOf(context, wallet)).toBe(lamports);
    await server.chain.test!.fund(wallet.address, { tokens: 1n });
    await payEverything(context, tank);
    const { data } = await readGamesHistory(context, user.id, 1);
    expect(data.data).toMatchObject([{ status: 'completed', waitsFor: null }]);
  });

  test('of one who shared its batch has its turn, although others win all the time', async () => {
    const patient = await newPaidPlayer(server, lobby);
    await settle(context, patient);
    const failed = { failedAttempts: 1, notBefore: sql`${payouts.createdAt}` };
    await context.db.update(payouts).set(failed).where(eq(payouts.entryId, patient.entryId));
    const winners = [await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby)];
    winners.push(await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby));
    const isUntried = and(eq(payouts.status, 'pending'), eq(payouts.failedAttempts, 0));
    const step = async () => {
      // There is always somebody who has won since.
      const [untried] = await context.db.select().from(payouts).where(isUntried);
      const winner = untried ? undefined : winners.pop();
      if (winner) await settle(context, winner);
      await payLobby(context, lobby.id, payoutDeps(context));
      return payoutsOf(context, patient.wallet);
    };
    await expect.poll(step, { timeout: 30_000 }).toMatchObject([{ status: 'completed' }]);
    expect(winners.length).toBeGreaterThan(0);
    await payEverything(context, lobby);
  });

  test('while the key that signs has no SOL shares a claim with the others as soon as it has', async () => {
    const payer = await readPayoutKeypair();
    const keeper = await server.newWallet({ lamports: 1_000_000_000n });
    const winners = [await newPaidPlayer(server, lobby), await newPaidPlayer(server, lobby)];
    await giveAwayAll(payer, keeper);
    for (const winner of winners) {
      await settle(context, winner);
      await payLobby(context, lobby.id, payoutDeps(context));
    }
    const paid = async () =>
      (await Promise.all(winners.map(({ wallet }) => payoutsOf(context, wallet)))).flat();
    expect(await paid()).toMatchObject(Array(2).fill({ status: 'pending', notBefore: expect.any(Date) }));
    await server.chain.test!.fund(payer.address, { lamports: 1_000_000_000n });
    server.advance(61_000);
    await payEverything(context, lobby);
    const [first, second] = await paid();
    expect(first).toMatchObject({ status: 'completed' });
    expect(second).toMatchObject({ status: 'completed', batchId: first!.batchId });
    await expectBooksToMatchTheChain(context, lobby);
  });

  async function readPayoutKeypair(): Promise<KeyPairSigner> {
    return createKeyPairSignerFromBytes(Uint8Array.from(JSON.parse(server.payoutKeypair())));
  }

  const TRANSFER = 3;
  const CLOSE_ACCOUNT = 9;

  async function tokenAccountOf({ address: owner }: KeyPairSigner) {
    const mint = server.chain.test!.token.mint;
    const tokenProgram = await tokenProgramOf(context.chain.rpc, mint);
    return { tokenProgram, account: await findTokenAccount({ owner, mint, tokenProgram }) };
  }

  async function closeTokenAccount(wallet: KeyPairSigner): Promise<void> {
    const { tokenProgram, account } = await tokenAccountOf(wallet);
    await server.sendFrom(wallet, {
      programAddress: tokenProgram,
      accounts: [
        { address: account, role: AccountRole.WRITABLE },
        { address: wallet.address, role: AccountRole.WRITABLE },
        { address: wallet.address, role: AccountRole.READONLY_SIGNER },
      ],
      data: Uint8Array.of(CLOSE_ACCOUNT),
    });
  }

  /** All that is there. */
  async function giveTokens(from: KeyPairSigner, to: KeyPairSigner): Promise<void> {
    const [source, destination] = [await tokenAccountOf(from), await tokenAccountOf(to)];
    const { value } = await context.chain.rpc.getTokenAccountBalance(source.account).send();
    if (value.amount === '0') return;
    const data = Buffer.alloc(9, TRANSFER);
    data.writeBigUInt64LE(BigInt(value.amount), 1);
    await server.sendFrom(from, {
      programAddress: source.tokenProgram,
      accounts: [
        { address: source.account, role: AccountRole.WRITABLE },
        { address: destination.account, role: AccountRole.WRITABLE },
        { address: from.address, role: AccountRole.READONLY_SIGNER },
      ],
      data,
    });
  }

  async function giveAwayAll(from: KeyPairSigner, to: KeyPairSigner): Promise<void> {
    const fee = 5_000n;
    const amount = (await lamportsOf(context, from)) - fee;
    await server.sendFrom(from, getTransferSolInstruction({ source: from, destination: to.address, amount }));
    expect(await lamportsOf(context, from)).toBe(0n);
  }
});

import { randomBytes, randomUUID } from 'node:crypto';
import { transactionSignature, walletAddress } from '@engulf/domain/ids/entity-ids';
import { getBase58Decoder } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { expireEntries } from '../../entries/expire-entries.ts';
import { readPaymentStatus, reportPaymentFailure } from '../../entries/payment-status.ts';
import { redeemTicket } from '../../entries/redeem-ticket.ts';
import type { LobbyRow } from '../../lobbies/lobby-rows.ts';
import type { Context } from '../../platform/context.ts';
import { lobbies, payments } from '../../platform/database/games.ts';
import {
  ask,
  confirm,
  createUser,
  enter,
  newestEntry,
  pay,
  payoutsOf,
  poolOnChain,
  takeBody,
  verifyAll,
} from '../../testing/players.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { auditLedger } from '../ledger/audit.ts';
import { reconcileLobby } from './reconcile-lobby.ts';
import { verifyPayment } from './verify-payment.ts';

let server: TestServer;
let context: Context;
let lobby: LobbyRow;
const STAKE = 47_500_000n;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
  lobby = await server.lobby('Shallows');
});
afterAll(() => server.dispose());

/** After the reconciler has looked, every lamport in the pool is somebody's. */
afterEach(async () => {
  await reconcileLobby(context, lobby.id);
  const { faults, lobbies: allBooks } = await auditLedger(context.db);
  expect(faults).toEqual([]);
  const books = allBooks.find(({ lobbyId }) => lobbyId === lobby.id);
  expect(books?.pool ?? 0n).toBe(await poolOnChain(context, lobby));
});

async function newPlayer() {
  const wallet = await server.newWallet();
  return { wallet, user: await createUser(context, wallet) };
}

const madeUpSignature = () => transactionSignature(getBase58Decoder().decode(randomBytes(64)));

describe('a payment for a seat', () => {
  test('leads from the first call through verification to one seat in the room', async () => {
    const { wallet, user } = await newPlayer();
    expect(await ask(context, user, lobby)).toMatchObject({ ok: true, value: { status: 'created' } });
    const signature = await pay(context, wallet, lobby);
    expect(await confirm(context, user, lobby, signature)).toMatchObject({
      ok: true,
      value: { status: 'payment_processing', shouldPoll: true },
    });
    const { paymentSessionId } = await newestEntry(context, user);
    expect(await readPaymentStatus(context, user, paymentSessionId)).toMatchObject({
      value: { status: 'payment_processing' },
    });
    await verifyAll(context);
    const status = await readPaymentStatus(context, user, paymentSessionId);
    if (!status.ok || status.value.status !== 'ticketSent') throw new Error(JSON.stringify(status));
    const { joinTicket } = status.value;
    expect(await redeemTicket(context, joinTicket, lobby.id)).toMatchObject({
      ok: true,
      value: { userId: user.id, stake: STAKE, isFree: false },
    });
    expect(await redeemTicket(context, joinTicket, lobby.id)).toMatchObject({ ok: false });
  });

  test('counts once when it is confirmed twice and verified by two workers at once', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    const answers = await Promise.all([
      confirm(context, user, lobby, signature),
      confirm(context, user, lobby, signature),
    ]);
    expect(answers.map(({ ok }) => ok)).toEqual([true, true]);
    const [row] = await context.db.select().from(payments).where(eq(payments.signature, signature));
    await Promise.all([
      verifyPayment(context, row!.id),
      verifyPayment(server.afterRestart(), row!.id),
      reconcileLobby(context, lobby.id),
    ]);
    expect(await context.db.select().from(payments).where(eq(payments.signature, signature))).toHaveLength(1);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent', stake: STAKE });
    expect(await payoutsOf(context, wallet)).toEqual([]);
  });

  test('is refused when its signature already paid for an earlier entry', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    await confirm(context, user, lobby, signature);
    await verifyAll(context);
    server.advance(130_000);
    await expireEntries(context);
    await ask(context, user, lobby);
    expect(await confirm(context, user, lobby, signature)).toMatchObject({
      ok: false,
      error: { code: 'DUPLICATE_TRANSACTION' },
    });
  });

  test("of somebody else's wallet gives no seat; the payer gets the money back", async () => {
    const [thief, payer] = [await newPlayer(), await newPlayer()];
    await ask(context, thief.user, lobby);
    const signature = await pay(context, payer.wallet, lobby);
    await confirm(context, thief.user, lobby, signature);
    await verifyAll(context);
    const entry = await newestEntry(context, thief.user);
    expect(entry).toMatchObject({ state: 'payment_failed', failure: { code: 'WALLET_ADDRESS_MISMATCH' } });
    expect(await readPaymentStatus(context, thief.user, entry.paymentSessionId)).toMatchObject({
      value: { status: 'payment_failed', errorDetails: { error: 'WALLET_ADDRESS_MISMATCH' } },
    });
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, payer.wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
    expect(await payoutsOf(context, thief.wallet)).toEqual([]);
  });

  test('into another lobby gives no seat here; the money comes back from there', async () => {
    const { wallet, user } = await newPlayer();
    const other = await server.lobby('The Deep');
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, other);
    await confirm(context, user, lobby, signature);
    await verifyAll(context);
    expect(await newestEntry(context, user)).toMatchObject({
      state: 'payment_failed',
      failure: { code: 'PAYMENT_DESTINATION_VERIFICATION_FAILED' },
    });
    await reconcileLobby(context, other.id);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: 475_000_000n, lobbyId: other.id }]);
  });

  test('is found by the reconciler when the browser died before it could tell', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    await pay(context, wallet, lobby);
    await reconcileLobby(context, lobby.id);
    await takeBody(context, user, lobby);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'playing', stake: STAKE });
  });

  test('is found without its signature when the wallet only said that it was processed already', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    await pay(context, wallet, lobby);
    expect(await confirm(context, user, lobby, 'True')).toMatchObject({
      value: { status: 'payment_processing' },
    });
    await reconcileLobby(context, lobby.id);
    await takeBody(context, user, lobby);
  });

  test('made twice for one seat gives one seat and one refund', async () => {
    const { wallet, user } = await newPlayer();
    await enter(context, user, wallet, lobby);
    await pay(context, wallet, lobby);
    await reconcileLobby(context, lobby.id);
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('that arrives after the seat was given up is refunded', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    server.advance(121_000);
    await expireEntries(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'expired' });
    await confirm(context, user, lobby, signature);
    await verifyAll(context);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
    const { paymentSessionId } = await newestEntry(context, user);
    expect(await readPaymentStatus(context, user, paymentSessionId)).toMatchObject({
      value: { status: 'payment_timeout' },
    });
  });

  test('whose wallet reported a failure by mistake is refunded', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    await pay(context, wallet, lobby);
    await reportPaymentFailure(context, user, lobby.id);
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('whose ticket nobody uses is refunded whole', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    await confirm(context, user, lobby, await pay(context, wallet, lobby));
    await verifyAll(context);
    server.advance(121_000);
    await expireEntries(context);
    await expireEntries(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'refunding', outcome: 'unclaimed' });
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('that was being verified when the process died is verified by the next one', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    await confirm(context, user, lobby, await pay(context, wallet, lobby));
    const restarted = server.afterRestart();
    await verifyAll(restarted);
    await takeBody(restarted, user, lobby);
  });

  test('for a free lobby is not taken down', async () => {
    const user = await createUser(context, await server.newWallet({}));
    const free = await server.lobby('Primordial');
    await ask(context, user, free);
    for (const claimed of [madeUpSignature(), 'True'] as const) {
      expect(await confirm(context, user, free, claimed)).toMatchObject({
        error: { code: 'PAYMENT_SESSION_NOT_FOUND' },
      });
    }
    expect(await context.db.select().from(payments).where(eq(payments.lobbyId, free.id))).toEqual([]);
  });

  test('is refused when its lobby has no price any more', async () => {
    const free = await server.lobby('Primordial');
    const { wallet } = await newPlayer();
    const id = randomUUID();
    await context.db.insert(payments).values({
      id,
      signature: madeUpSignature(),
      lobbyId: free.id,
      wallet: walletAddress(wallet.address),
      status: 'verifying',
    });
    await verifyPayment(context, id);
    const [row] = await context.db.select().from(payments).where(eq(payments.id, id));
    expect(row).toMatchObject({ status: 'refused', failureCode: 'PAYMENT_DESTINATION_VERIFICATION_FAILED' });
  });

  test('is looked for under no more than three signatures at a time', async () => {
    const { user } = await newPlayer();
    await ask(context, user, lobby);
    const signatures = Array.from({ length: 3 }, madeUpSignature);
    for (const signature of signatures)
      expect((await confirm(context, user, lobby, signature)).ok).toBe(true);
    expect(await confirm(context, user, lobby, madeUpSignature())).toMatchObject({
      error: { code: 'RATE_LIMITED' },
    });
    expect((await confirm(context, user, lobby, signatures[0]!)).ok).toBe(true);
  });

  test('that is only claimed holds the seat no longer than no payment', async () => {
    const { user } = await newPlayer();
    await ask(context, user, lobby);
    const { stateExpiresAt } = await newestEntry(context, user);
    await confirm(context, user, lobby, 'True');
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_processing', stateExpiresAt });
    server.advance(121_000);
    await expireEntries(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_timeout' });
  });

  test('under a made-up signature holds the seat until that can no longer land', async () => {
    const { user } = await newPlayer();
    await ask(context, user, lobby);
    await confirm(context, user, lobby, 'True');
    const signature = madeUpSignature();
    await confirm(context, user, lobby, signature);
    server.advance(121_000);
    await expireEntries(context);
    const held = await newestEntry(context, user);
    expect(held).toMatchObject({ state: 'payment_processing' });
    await confirm(context, user, lobby, signature);
    expect(await newestEntry(context, user)).toEqual(held);
    // As if it had been heard of so many blocks ago.
    const height = await context.chain.rpc.getBlockHeight({ commitment: 'finalized' }).send();
    await context.db
      .update(payments)
      .set({ heardAtBlockHeight: height < 200n ? 0n : height - 200n })
      .where(eq(payments.signature, signature));
    await vi.waitFor(async () => {
      await verifyAll(context);
      expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_failed' });
    }, 15_000);
  });

  test('of the price that was shown counts also when the price has changed since', async () => {
    const { wallet, user } = await newPlayer();
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    await context.db.update(lobbies).set({ entryFee: 60_000_000n }).where(eq(lobbies.id, lobby.id));
    await confirm(context, user, lobby, signature);
    await verifyAll(context);
    await context.db.update(lobbies).set({ entryFee: lobby.entryFee }).where(eq(lobbies.id, lobby.id));
    await takeBody(context, user, lobby);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'playing', stake: STAKE });
  });

  test('pays a token lobby just the same', async () => {
    const tank = await server.lobby('Gulp Tank');
    const wallet = await server.newWallet({ lamports: 1_000_000_000n, tokens: 100_000_000n });
    const user = await createUser(context, wallet);
    await enter(context, user, wallet, tank);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'playing', stake: 23_750_000n });
    expect(await poolOnChain(context, tank)).toBe(23_750_000n);
  });
});

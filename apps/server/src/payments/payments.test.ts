import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { describe, expect, test } from 'vitest';
import { withNode } from '../../testing/fake-node.ts';
import { compareBooksAfterEach, STAKE, startPaidServer } from '../../testing/paid-players.ts';
import {
  ask,
  confirm,
  createUser,
  enter,
  expireAll,
  newestEntry,
  newPlayer,
  pay,
  payoutsOf,
  poolOnChain,
  redeem,
  takeBody,
  verifyAll,
} from '../../testing/players.ts';
import { readPaymentStatus, reportPaymentFailure } from '../entries/payment-status.ts';
import { lobbies, payments } from '../platform/database/games.ts';
import { reconcileLobby } from './reconcile-lobby.ts';
import { verifyPayment } from './verify-payment.ts';

const { server, context, lobby } = await startPaidServer();
compareBooksAfterEach(context, lobby);

describe('a payment', () => {
  test('leads through verification to one seat in the room', async () => {
    const { wallet, user } = await newPlayer(server);
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
    expect(await redeem(context, joinTicket, lobby)).toMatchObject({
      ok: true,
      value: { userId: user.id, stake: STAKE },
    });
    expect(await redeem(context, joinTicket, lobby)).toMatchObject({ ok: false });
    // Another window that waited for the same payment.
    expect(await readPaymentStatus(context, user, paymentSessionId)).toMatchObject({
      value: { status: 'payment_failed', errorDetails: { error: 'ACTIVE_SESSION_EXISTS' } },
    });
  });

  test('may name a key for inputs, which is kept', async () => {
    const inputsKey = 'ab'.repeat(32);
    for (const key of [inputsKey, undefined]) {
      const { wallet, user } = await newPlayer(server);
      await ask(context, user, lobby);
      const signature = await pay(context, wallet, lobby, key);
      await confirm(context, user, lobby, signature);
      await verifyAll(context);
      const [row] = await context.db.select().from(payments).where(eq(payments.signature, signature));
      expect(row).toMatchObject({ status: 'verified', inputsKey: key ?? null });
    }
  });

  test('counts once if it is confirmed twice and verified by two workers at once', async () => {
    const { wallet, user } = await newPlayer(server);
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
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    await confirm(context, user, lobby, signature);
    await verifyAll(context);
    server.advance(130_000);
    await expireAll(context);
    await ask(context, user, lobby);
    expect(await confirm(context, user, lobby, signature)).toMatchObject({
      ok: false,
      error: { code: 'DUPLICATE_TRANSACTION' },
    });
  });

  test('from another wallet gives no seat, and the payer is refunded', async () => {
    const [thief, payer] = [await newPlayer(server), await newPlayer(server)];
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

  test('to another lobby gives no seat here and is refunded there', async () => {
    const { wallet, user } = await newPlayer(server);
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

  test('is found by the reconciler if the browser died before it could confirm', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    await pay(context, wallet, lobby);
    const lines: { msg: string; entryId?: string }[] = [];
    const logger = pino({}, { write: (line) => lines.push(JSON.parse(line)) });
    await reconcileLobby({ ...context, logger }, lobby.id);
    await takeBody(context, user, lobby);
    const entry = await newestEntry(context, user);
    expect(entry).toMatchObject({ state: 'playing', stake: STAKE });
    expect(lines).toMatchObject([{ msg: 'payment verified', entryId: entry.id, outcome: 'granted' }]);
  });

  test('is found without its signature if the wallet only said that it was processed', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    await pay(context, wallet, lobby);
    expect(await confirm(context, user, lobby, 'True')).toMatchObject({
      value: { status: 'payment_processing' },
    });
    await reconcileLobby(context, lobby.id);
    await takeBody(context, user, lobby);
  });

  test('is found by the reconciler although its player claimed another one first, which was refused', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    const elsewhere = await pay(context, wallet, await server.lobby('The Deep'));
    await confirm(context, user, lobby, elsewhere);
    await verifyAll(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_failed' });
    await pay(context, wallet, lobby);
    await reconcileLobby(context, lobby.id);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent', stake: STAKE });
  });

  test('made twice for one seat gives one seat and one refund', async () => {
    const { wallet, user } = await newPlayer(server);
    await enter(context, user, wallet, lobby);
    await pay(context, wallet, lobby);
    await reconcileLobby(context, lobby.id);
    await reconcileLobby(context, lobby.id);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('that arrives after the seat was given up brings it back, and the page sees it coming', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    server.advance(121_000);
    await expireAll(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'expired' });
    await confirm(context, user, lobby, signature);
    const { paymentSessionId } = await newestEntry(context, user);
    const status = () => readPaymentStatus(context, user, paymentSessionId);
    expect(await status()).toMatchObject({ value: { status: 'payment_processing' } });
    await verifyAll(context);
    expect(await status()).toMatchObject({ value: { status: 'ticketSent' } });
  });

  test('that the page reported as failed by mistake gets its seat', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    await pay(context, wallet, lobby);
    await reportPaymentFailure(context, user, lobby.id);
    await reconcileLobby(context, lobby.id);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent', stake: STAKE });
    expect(await payoutsOf(context, wallet)).toEqual([]);
  });

  test('that comes back after its player has taken another seat is refunded', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    await confirm(context, user, lobby, signature);
    server.advance(901_000 + 3_600_000);
    await expireAll(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_timeout' });
    await ask(context, user, await server.lobby('The Deep'));
    await verifyAll(context);
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('whose ticket nobody uses is refunded whole', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    await confirm(context, user, lobby, await pay(context, wallet, lobby));
    await verifyAll(context);
    server.advance(121_000);
    await expireAll(context);
    await expireAll(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'refunding', outcome: 'unclaimed' });
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('that was being verified when the process died is verified by the next one', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    await confirm(context, user, lobby, await pay(context, wallet, lobby));
    const restarted = server.afterRestart();
    await verifyAll(restarted);
    await takeBody(restarted, user, lobby);
  });

  test('of the price shown counts even if the price has changed since', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    await context.db.update(lobbies).set({ entryFee: 60_000_000n }).where(eq(lobbies.id, lobby.id));
    await confirm(context, user, lobby, signature);
    await verifyAll(context);
    await context.db.update(lobbies).set({ entryFee: lobby.entryFee }).where(eq(lobbies.id, lobby.id));
    await takeBody(context, user, lobby);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'playing', stake: STAKE });
  });

  test('is refunded if the lobby is closed while the chain is asked about it', async () => {
    const { wallet, user } = await newPlayer(server);
    await ask(context, user, lobby);
    await confirm(context, user, lobby, await pay(context, wallet, lobby));
    const lock = (isLocked: boolean) =>
      context.db.update(lobbies).set({ isLocked }).where(eq(lobbies.id, lobby.id));
    const closing = withNode(context, {
      getTransaction: async (real) => {
        await lock(true);
        return real();
      },
    });
    await verifyAll(closing);
    await lock(false);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'expired' });
    expect(await payoutsOf(context, wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  });

  test('works for a token lobby in the same way', async () => {
    const tank = await server.lobby('Gulp Tank');
    const wallet = await server.newWallet({ lamports: 1_000_000_000n, tokens: 100_000_000n });
    const user = await createUser(context, wallet);
    await enter(context, user, wallet, tank);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'playing', stake: 23_750_000n });
    expect(await poolOnChain(context, tank)).toBe(23_750_000n);
  });
});

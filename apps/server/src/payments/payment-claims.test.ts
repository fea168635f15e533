import { randomBytes, randomUUID } from 'node:crypto';
import { transactionSignature, walletAddress } from '@engulf/domain/ids/entity-ids';
import { getBase58Decoder } from '@solana/kit';
import { eq } from 'drizzle-orm';
import { describe, expect, test } from 'vitest';
import { withNode } from '../../testing/fake-node.ts';
import { compareBooksAfterEach, STAKE, startPaidServer } from '../../testing/paid-players.ts';
import {
  ask,
  confirm,
  createUser,
  expireAll,
  newestEntry,
  newPlayer,
  pay,
  verifyAll,
} from '../../testing/players.ts';
import { readSessionConflicts } from '../entries/session-warning.ts';
import type { Context } from '../platform/context.ts';
import { payments } from '../platform/database/games.ts';
import { lookAtPayment } from './confirm-payment.ts';
import { verifyPayment } from './verify-payment.ts';

const { server, context, lobby } = await startPaidServer();
compareBooksAfterEach(context, lobby);

const madeUpSignature = () => transactionSignature(getBase58Decoder().decode(randomBytes(64)));

describe('a claimed payment', () => {
  test('for a free lobby is not recorded', async () => {
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

  test('is named to other windows of the player, which may wait for its seat', async () => {
    const { user, wallet } = await newPlayer(server);
    await ask(context, user, lobby);
    await confirm(context, user, lobby, await pay(context, wallet, lobby));
    const { id: sessionId, paymentSessionId } = await newestEntry(context, user);
    expect(await readSessionConflicts(context, [user.id])).toMatchObject([
      {
        sessionId,
        sessionStatus: 'payment_processing',
        payment: { sessionId, lobbyId: lobby.id, paymentSessionId },
      },
    ]);
    await verifyAll(context);
  });

  test('that is final is booked at once, however often and at the same time it is looked at', async () => {
    const { user, wallet } = await newPlayer(server);
    await ask(context, user, lobby);
    const signature = await pay(context, wallet, lobby);
    await confirm(context, user, lobby, signature);
    const look = () => lookAtPayment(context, user, lobby.id, signature);
    await Promise.all([look(), look(), verifyAll(context)]);
    await look();
    expect(await newestEntry(context, user)).toMatchObject({ state: 'ticketSent', stake: STAKE });
  });

  test('that cannot be looked at is left to the worker', async () => {
    const { user } = await newPlayer(server);
    await ask(context, user, lobby);
    const signature = madeUpSignature();
    await confirm(context, user, lobby, signature);
    const fail = () => {
      throw new Error('gone');
    };
    const broken = { ...context, db: { select: fail } } as unknown as Context;
    await expect(lookAtPayment(broken, user, lobby.id, signature)).resolves.toBeUndefined();
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_processing' });
  });

  test('for a lobby that has become free is refused', async () => {
    const free = await server.lobby('Primordial');
    const { wallet } = await newPlayer(server);
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

  test('is looked up for at most three signatures of a wallet at a time', async () => {
    const { user } = await newPlayer(server);
    await ask(context, user, lobby);
    const signatures = Array.from({ length: 3 }, madeUpSignature);
    for (const signature of signatures)
      expect((await confirm(context, user, lobby, signature)).ok).toBe(true);
    expect(await confirm(context, user, lobby, madeUpSignature())).toMatchObject({
      error: { code: 'RATE_LIMITED' },
    });
    expect((await confirm(context, user, lobby, signatures[0]!)).ok).toBe(true);
  });

  test('without a signature holds the seat no longer than no claim', async () => {
    const { user } = await newPlayer(server);
    await ask(context, user, lobby);
    const { stateExpiresAt } = await newestEntry(context, user);
    await confirm(context, user, lobby, 'True');
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_processing', stateExpiresAt });
    server.advance(121_000);
    await expireAll(context);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_timeout' });
  });

  test('with a made-up signature holds the seat until it can no longer land', async () => {
    const { user } = await newPlayer(server);
    await ask(context, user, lobby);
    await confirm(context, user, lobby, 'True');
    const signature = madeUpSignature();
    await confirm(context, user, lobby, signature);
    server.advance(121_000);
    await expireAll(context);
    const held = await newestEntry(context, user);
    expect(held).toMatchObject({ state: 'payment_processing' });
    await confirm(context, user, lobby, signature);
    expect(await newestEntry(context, user)).toEqual(held);
    await verifyAll(context);
    expect(await newestEntry(context, user)).toEqual(held);
    const later = withNode(context, { getBlockHeight: async (real) => (await real()) + 351n });
    await verifyAll(later);
    expect(await newestEntry(context, user)).toMatchObject({ state: 'payment_failed' });
  });
});

import { randomUUID } from 'node:crypto';
import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { payEverything, STAKE } from '../../testing/paid-players.ts';
import {
  ask,
  confirm,
  enter,
  expireAll,
  newestEntry,
  newPlayer,
  type Player,
  pay,
  payoutsOf,
  takeBody,
  verifyAll,
} from '../../testing/players.ts';
import { createTestApp } from '../../testing/test-app.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { openSession, SESSION_COOKIE } from '../accounts/sessions.ts';
import { joinLobby } from '../entries/join-lobby.ts';
import { reportPaymentFailure } from '../entries/payment-status.ts';
import { createMoneyLanes } from '../game-host/money-lanes.ts';
import { registerLimits } from '../http/routes/limits.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { reconcileLobby } from '../payments/reconcile-lobby.ts';
import type { Context } from '../platform/context.ts';
import type { UserRow } from '../platform/database/people.ts';
import { readOwnLimits, setDepositLimit, takeBreak } from './own-limits.ts';

const FEE = 50_000_000n;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;

let server: TestServer;
let context: Context;
let shallows: LobbyRow;
let deep: LobbyRow;
let tank: LobbyRow;
let free: LobbyRow;

beforeAll(async () => {
  server = await startTestServer();
  context = server.context;
  [shallows, deep, tank, free] = [
    await server.lobby('Shallows'),
    await server.lobby('The Deep'),
    await server.lobby('Gulp Tank'),
    await server.lobby('Petri Dish'),
  ];
});
afterAll(() => server.dispose());

const limitSol = (user: UserRow, limit: bigint | null) =>
  setDepositLimit(context, user, { tokenMint: null, limit });

/** Pays, plays and cashes out. */
async function play({ wallet, user }: Player, lobby = shallows): Promise<void> {
  const entryId = await enter(context, user, wallet, lobby);
  const outcome = { kind: 'cashout', amount: STAKE, massMilli: 1 } as const;
  await createMoneyLanes(context, async () => true).settleEntry(lobby.id, entryId, outcome);
}

describe('a daily limit', () => {
  test('refuses an entry above it, says until when, and lets in again after that', async () => {
    const player = await newPlayer(server);
    await limitSol(player.user, 2n * FEE - 1n);
    await play(player);
    const { createdAt } = await newestEntry(context, player.user);
    const refused = await ask(context, player.user, shallows);
    const until = new Date(createdAt.getTime() + DAY_MS).toISOString();
    expect(refused).toMatchObject({
      error: {
        code: 'DEPOSIT_LIMIT_REACHED',
        context: { limit: '0.099999999 SOL', left: '0.049999999 SOL', until },
      },
    });
    server.advance(DAY_MS - HOUR_MS);
    expect(await ask(context, player.user, shallows)).toMatchObject({ ok: false });
    server.advance(HOUR_MS);
    expect(await ask(context, player.user, shallows)).toMatchObject({ ok: true });
  });

  test('names no time when waiting does not help', async () => {
    const { user } = await newPlayer(server);
    await limitSol(user, FEE - 1n);
    expect(await ask(context, user, shallows)).toMatchObject({ error: { context: { until: null } } });
  });

  test('counts a seat that is held, and forgets it when it is given up unpaid', async () => {
    const { user } = await newPlayer(server);
    await limitSol(user, FEE);
    const deposited = async () => (await readOwnLimits(context, user)).deposits[0]!.deposited;
    await ask(context, user, shallows);
    expect(await deposited()).toBe(String(FEE));
    await reportPaymentFailure(context, user, shallows.id);
    expect(await deposited()).toBe('0');
    expect(await ask(context, user, shallows)).toMatchObject({ ok: true });
    server.advance(121_000);
    await expireAll(context);
    expect(await deposited()).toBe('0');
  });

  test('counts an entry that was paid but never played', async () => {
    const player = await newPlayer(server);
    await ask(context, player.user, shallows);
    await confirm(context, player.user, shallows, await pay(context, player.wallet, shallows));
    await verifyAll(context);
    server.advance(HOUR_MS);
    await expireAll(context);
    await payEverything(context, shallows);
    expect((await readOwnLimits(context, player.user)).deposits[0]!.deposited).toBe(String(FEE));
  });

  test('lets one of several joins through that are made at once', async () => {
    const { user } = await newPlayer(server);
    // Room for either, but not for both.
    await limitSol(user, deep.entryFee);
    for (const lobby of [shallows, deep]) {
      await context.presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
    }
    const joins = [shallows, deep, shallows, deep].map((lobby) =>
      joinLobby(context, user, { lobbyId: lobby.id, lobbyCode: undefined }),
    );
    const answers = await Promise.all(joins);
    const seats = new Set(answers.flatMap((answer) => (answer.ok ? [answer.value.sessionId] : [])));
    expect(seats.size).toBe(1);
    const { entryFee } = await newestEntry(context, user);
    expect((await readOwnLimits(context, user)).deposits[0]!.deposited).toBe(String(entryFee));
  });

  test('is per currency, and does not concern free lobbies', async () => {
    const { user } = await newPlayer(server);
    await limitSol(user, 0n);
    expect(await ask(context, user, shallows)).toMatchObject({ ok: false });
    expect(await ask(context, user, tank)).toMatchObject({ ok: true });
    await reportPaymentFailure(context, user, tank.id);
    await setDepositLimit(context, user, { tokenMint: tank.tokenMint, limit: tank.entryFee - 1n });
    expect(await ask(context, user, tank)).toMatchObject({
      error: { code: 'DEPOSIT_LIMIT_REACHED', context: { limit: expect.stringContaining('GULP') } },
    });
    expect(await ask(context, user, free)).toMatchObject({ ok: true });
  });

  test('is lowered at once, but raised or removed only after a day', async () => {
    const { user } = await newPlayer(server);
    await limitSol(user, FEE - 1n);
    await limitSol(user, null);
    const [sol] = (await readOwnLimits(context, user)).deposits;
    expect(sol).toMatchObject({ limit: String(FEE - 1n), pending: { limit: null } });
    const refused = await ask(context, user, shallows);
    expect(refused).toMatchObject({ error: { context: { until: sol!.pending!.from } } });
    server.advance(DAY_MS - 60_000);
    expect(await ask(context, user, shallows)).toMatchObject({ ok: false });
    server.advance(60_000);
    expect(await ask(context, user, shallows)).toMatchObject({ ok: true });
    expect((await readOwnLimits(context, user)).deposits[0]).toMatchObject({ limit: null, pending: null });
  });

  test('honours a payment for a seat that was held before', async () => {
    const player = await newPlayer(server);
    await ask(context, player.user, shallows);
    await limitSol(player.user, 0n);
    await takeBreak(context, player.user, 1);
    const signature = await pay(context, player.wallet, shallows);
    expect(await confirm(context, player.user, shallows, signature)).toMatchObject({ ok: true });
    await verifyAll(context);
    await takeBody(context, player.user, shallows);
    expect(await newestEntry(context, player.user)).toMatchObject({ state: 'playing', stake: STAKE });
  });
});

describe('a break', () => {
  test('closes paid lobbies until it ends; free ones stay open and payouts go on', async () => {
    const player = await newPlayer(server);
    await play(player);
    const { breakUntil } = await takeBreak(context, player.user, 3);
    expect(await ask(context, player.user, shallows)).toMatchObject({
      error: { code: 'ON_A_BREAK', context: { until: breakUntil } },
    });
    await payEverything(context, shallows);
    expect(await payoutsOf(context, player.wallet)).toMatchObject([{ status: 'completed', amount: STAKE }]);
    expect(await ask(context, player.user, free)).toMatchObject({ ok: true });
    server.advance(3 * DAY_MS);
    await expireAll(context);
    expect(await ask(context, player.user, shallows)).toMatchObject({ ok: true });
  });

  test('can be made longer but not shorter', async () => {
    const { user } = await newPlayer(server);
    const long = await takeBreak(context, user, 10);
    expect((await takeBreak(context, user, 1)).breakUntil).toBe(long.breakUntil);
    const longer = await takeBreak(context, user, 30);
    expect(Date.parse(longer.breakUntil!)).toBeGreaterThan(Date.parse(long.breakUntil!));
  });

  test('refunds what is paid without a seat', async () => {
    const player = await newPlayer(server);
    await takeBreak(context, player.user, 1);
    await pay(context, player.wallet, shallows);
    await reconcileLobby(context, shallows.id);
    await payEverything(context, shallows);
    expect(await payoutsOf(context, player.wallet)).toMatchObject([
      { isRefund: true, amount: STAKE, status: 'completed' },
    ]);
  });
});

describe('the calls', () => {
  let app: FastifyInstance;
  beforeAll(async () => {
    ({ app } = await createTestApp(context, { RATE_LIMIT_SCALE: '100' }));
    registerLimits(app, context);
  });
  afterAll(() => app.close());

  test('need a session and a sensible request', async () => {
    const { user } = await newPlayer(server);
    const cookies = { [SESSION_COOKIE]: await openSession(context, context.db, user.id) };
    const send = async (method: 'PUT' | 'POST', url: string, payload: object, as = cookies) =>
      JSON.parse((await app.inject({ method, url, payload, cookies: as })).body).error;
    const [deposit, pause] = ['/api/limits/deposit', '/api/limits/break'];
    expect(JSON.parse((await app.inject('/api/limits')).body).error).toBe('UNAUTHENTICATED');
    expect(await send('POST', pause, { days: 1 }, { [SESSION_COOKIE]: randomUUID() })).toBe(
      'UNAUTHENTICATED',
    );
    for (const days of [0, 31, 1.5, '3']) {
      expect(await send('POST', pause, { days })).toBe('INVALID_REQUEST');
    }
    for (const limit of ['-1', '1.5', String(2n ** 64n), 5]) {
      expect(await send('PUT', deposit, { tokenMint: null, limit })).toBe('INVALID_REQUEST');
    }
    const elsewhere = { tokenMint: user.walletAddress, limit: '1' };
    expect(await send('PUT', deposit, elsewhere)).toBe('INVALID_REQUEST');
    expect(await send('PUT', deposit, { tokenMint: null, limit: '7' })).toBeUndefined();
    const { body } = await app.inject({ url: '/api/limits', cookies });
    expect(JSON.parse(body)).toMatchObject({ breakUntil: null, deposits: [{ limit: '7' }, { limit: null }] });
  });
});

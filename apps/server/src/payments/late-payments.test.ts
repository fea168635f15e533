import { eq } from 'drizzle-orm';
import { describe, expect, onTestFinished, test } from 'vitest';
import { compareBooksAfterEach, STAKE, startPaidServer } from '../../testing/paid-players.ts';
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
import { createMoneyLanes } from '../game-host/money-lanes.ts';
import { readOwnLimits, setDepositLimit, takeBreak } from '../limits/own-limits.ts';
import { lobbies } from '../platform/database/games.ts';
import type { UserRow } from '../platform/database/people.ts';
import { reconcileLobby } from './reconcile-lobby.ts';

const FEE = 50_000_000n;
const HOUR_MS = 3_600_000;

const { server, context, lobby } = await startPaidServer();
compareBooksAfterEach(context, lobby);

/** Takes a seat and lets it expire unpaid. */
async function missSeat({ user }: Player): Promise<void> {
  expect(await ask(context, user, lobby)).toMatchObject({ ok: true });
  server.advance(121_000);
  await expireAll(context);
  expect(await newestEntry(context, user)).toMatchObject({ state: 'expired' });
}

async function newLatePlayer(): Promise<Player> {
  const player = await newPlayer(server);
  await missSeat(player);
  return player;
}

async function die(entryId: Awaited<ReturnType<typeof enter>>): Promise<void> {
  const outcome = { kind: 'killed', amount: 0n, massMilli: 1 } as const;
  await createMoneyLanes(context, async () => true).settleEntry(lobby.id, entryId, outcome);
}

const limitTo = (user: UserRow, limit: bigint) => setDepositLimit(context, user, { tokenMint: null, limit });
const deposited = async (user: UserRow) => (await readOwnLimits(context, user)).deposits[0]!.deposited;

/** How the payment is found: the player says so, or the reconciler sees it. */
const FINDERS = [
  [
    'that is claimed',
    async ({ user, wallet }: Player) => {
      await confirm(context, user, lobby, await pay(context, wallet, lobby));
      await verifyAll(context);
    },
  ],
  [
    'that is found on the chain',
    async ({ wallet }: Player) => {
      await pay(context, wallet, lobby);
      await reconcileLobby(context, lobby.id);
    },
  ],
] as const;

describe.each(FINDERS)('a payment %s for a seat that has expired', (_, payLate) => {
  async function expectRefund(player: Player): Promise<void> {
    await payLate(player);
    await reconcileLobby(context, lobby.id);
    expect(await newestEntry(context, player.user)).not.toMatchObject({ state: 'ticketSent' });
    expect(await payoutsOf(context, player.wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  }

  test('is refunded if it exceeds the daily limit of the player', async () => {
    const player = await newLatePlayer();
    await limitTo(player.user, FEE - 1n);
    await expectRefund(player);
    expect(await deposited(player.user)).toBe('0');
  });

  test('is refunded during a break of the player', async () => {
    const player = await newLatePlayer();
    await takeBreak(context, player.user, 1);
    await expectRefund(player);
  });

  test('is refunded if the player has no entries left in the lobby', async () => {
    const setMax = (maxEntriesPerUser: number | null) =>
      context.db.update(lobbies).set({ maxEntriesPerUser }).where(eq(lobbies.id, lobby.id));
    const player = await newPlayer(server);
    await die(await enter(context, player.user, player.wallet, lobby));
    await missSeat(player);
    await setMax(1);
    onTestFinished(() => setMax(null).then(() => undefined));
    await expectRefund(player);
  });

  test('brings the seat back if the limit has room for it', async () => {
    const player = await newLatePlayer();
    await limitTo(player.user, FEE);
    await payLate(player);
    await die(await takeBody(context, player.user, lobby));
    expect(await deposited(player.user)).toBe(String(FEE));
    expect(await payoutsOf(context, player.wallet)).toEqual([]);
  });
});

test('a late payment does not pass the limit after another entry has used it up', async () => {
  const player = await newLatePlayer();
  await limitTo(player.user, FEE);
  await die(await enter(context, player.user, player.wallet, lobby));
  await pay(context, player.wallet, lobby);
  await reconcileLobby(context, lobby.id);
  expect(await newestEntry(context, player.user)).toMatchObject({ state: 'ended' });
  expect(await payoutsOf(context, player.wallet)).toMatchObject([{ amount: STAKE, isRefund: true }]);
  expect(await deposited(player.user)).toBe(String(FEE));
});

test('a seat that comes back days later counts as a deposit of the day of its payment', async () => {
  const player = await newLatePlayer();
  await limitTo(player.user, FEE);
  server.advance(47 * HOUR_MS);
  await confirm(context, player.user, lobby, await pay(context, player.wallet, lobby));
  await verifyAll(context);
  await die(await takeBody(context, player.user, lobby));
  expect(await ask(context, player.user, lobby)).toMatchObject({ error: { code: 'DEPOSIT_LIMIT_REACHED' } });
});

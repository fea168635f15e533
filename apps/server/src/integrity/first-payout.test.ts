import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { insertCashOut } from '../../testing/cash-out.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { payouts } from '../platform/database/money.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { firstPayoutWaitsUntil } from './first-payout.ts';

const NOW_MS = Date.parse('2026-03-04T12:00:00Z');
const HOUR_MS = 3_600_000;
const RULES = { firstPayoutHours: 24, firstPayoutMultiple: 5 };

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const hoursAgo = (hours: number) => new Date(NOW_MS - hours * HOUR_MS);

async function newCase() {
  const { db } = database;
  const [user, lobby] = [await newUser(db), await newPaidLobby(db)];
  return {
    user,
    lobby,
    addPayout: (change: Partial<typeof payouts.$inferInsert>) => addPayout(user, lobby.id, change),
    ask: (times: bigint, rules = RULES) => {
      const payout = { userId: user.id, amount: lobby.entryFee * times };
      return firstPayoutWaitsUntil(db, rules, lobby, payout, NOW_MS);
    },
  };
}

async function addPayout(
  user: UserRow,
  lobbyId: Awaited<ReturnType<typeof newPaidLobby>>['id'],
  change: Partial<typeof payouts.$inferInsert>,
) {
  const { db } = database;
  await db.insert(payouts).values({
    id: randomUUID(),
    lobbyId,
    entryId: await insertCashOut(db, { userId: user.id, lobbyId }),
    userId: user.id,
    wallet: user.walletAddress,
    amount: 1n,
    isRefund: false,
    status: 'completed',
    completedAt: hoursAgo(48),
    ...change,
  });
}

test('a large payout of somebody who was never paid waits, a small one does not', async () => {
  const { ask } = await newCase();
  expect(await ask(5n)).toEqual(new Date(NOW_MS + 24 * HOUR_MS));
  expect(await ask(4n)).toBeNull();
});

test('a tiny payout does not end the wait', async () => {
  const { ask, addPayout } = await newCase();
  await addPayout({ completedAt: hoursAgo(1) });
  expect(await ask(5n)).toEqual(new Date(NOW_MS + 23 * HOUR_MS));
});

test('whoever was paid for the first time longer ago does not wait, however much came later', async () => {
  const { ask, addPayout } = await newCase();
  await addPayout({ completedAt: hoursAgo(24) });
  await addPayout({ completedAt: hoursAgo(1) });
  expect(await ask(5n)).toBeNull();
});

test('refunds and payouts that are not paid yet do not count', async () => {
  const { ask, addPayout } = await newCase();
  await addPayout({ isRefund: true });
  await addPayout({ status: 'pending', completedAt: null });
  expect(await ask(5n)).toEqual(new Date(NOW_MS + 24 * HOUR_MS));
});

test('nobody waits where the lobby does not ask for it', async () => {
  const { ask } = await newCase();
  expect(await ask(5n, { ...RULES, firstPayoutHours: 0 })).toBeNull();
});

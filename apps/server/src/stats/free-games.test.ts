import { randomUUID } from 'node:crypto';
import { entryId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { goalAt } from '@engulf/domain/profile/daily-goal';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newLobby, newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { entries } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { addToDailyGoal, readDailyGoal } from './daily-goals.ts';
import { readActivity, readGamesHistory } from './history.ts';

let database: OpenDatabase;
const nowMs = Date.parse('2026-11-18T12:00:00Z');
const newContext = () => createBareContext(database.db, { nowMs: () => nowMs });

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

async function endGame(user: UserRow, lobby: LobbyRow, outcome: 'cashout' | 'killed', minute: number) {
  const id = entryId(randomUUID());
  const endedAt = new Date(nowMs + minute * 60_000);
  await database.db.insert(entries).values({
    id,
    userId: user.id,
    lobbyId: lobby.id,
    state: 'ended',
    paymentSessionId: paymentSessionId(randomUUID()),
    entryFee: lobby.entryFee,
    outcome,
    payoutAmount: outcome === 'killed' ? 0n : 15_500_000n,
    endedAt,
  });
  return { id, endedAt };
}

test('free games are listed as play money among payouts, newest first', async () => {
  const { db } = database;
  const [user, other] = [await newUser(db), await newUser(db)];
  const [free, paid] = [await newLobby(db), await newPaidLobby(db)];
  const first = await endGame(user, free, 'cashout', 1);
  const second = await endGame(user, paid, 'cashout', 2);
  const payoutId = randomUUID() as (typeof payouts.$inferSelect)['id'];
  await db.insert(payouts).values({
    id: payoutId,
    lobbyId: paid.id,
    entryId: second.id,
    userId: user.id,
    wallet: user.walletAddress,
    amount: 15_500_000n,
    isRefund: false,
    status: 'pending',
    createdAt: second.endedAt,
  });
  const third = await endGame(user, free, 'killed', 3);
  await endGame(other, free, 'killed', 4);

  const games = (await readGamesHistory(newContext(), user.id, 1)).data;
  expect(games.lastPage).toBe(1);
  expect(games.data).toMatchObject([
    { gameId: third.id, isPlayMoney: true, finalStatus: 'killed', amountText: '0.00' },
    {
      gameId: second.id,
      isPlayMoney: false,
      finalStatus: 'cashout',
      amountText: '0.0155',
      status: 'pending',
    },
    { gameId: first.id, isPlayMoney: true, finalStatus: 'cashout', amountText: '15.50', tokenSymbol: 'USD' },
  ]);

  const { data } = (await readActivity(newContext(), 1)).data;
  expect(data.map(({ isPlayMoney }) => isPlayMoney)).toEqual([true, true, false, true]);
  expect(data[0]).toMatchObject({ playerId: { name: other.name }, lobbyName: free.name });
});

test('the goal of a day counts its lives, and the days on which it was reached', async () => {
  const user = await newUser(database.db);
  const { goal } = goalAt(nowMs);
  const life = { kills: 3, peakMass: 250, seconds: 100, isExit: false };
  await addToDailyGoal(database.db, user.id, life, nowMs);
  expect(await readDailyGoal(newContext(), user.id)).toMatchObject({ ...goal, goalDays: 0 });
  const enough = { kills: 5, peakMass: 500, seconds: 200, isExit: true };
  await addToDailyGoal(database.db, user.id, enough, nowMs);
  await addToDailyGoal(database.db, user.id, life, nowMs);
  const reached = await readDailyGoal(newContext(), user.id);
  expect(reached.progress).toBeGreaterThanOrEqual(goal.target);
  expect(reached.goalDays).toBe(1);
});

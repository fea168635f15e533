import { randomUUID } from 'node:crypto';
import { entryId, paymentSessionId, type UserId, walletAddress } from '@engulf/domain/ids/entity-ids';
import { LEADERBOARD_PERIODS } from '@engulf/protocol/menu/leaderboard';
import fc from 'fast-check';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { randomBase58 } from '../../testing/random-base58.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { periodWinnings, playerTotals } from '../platform/database/stats.ts';
import { readLeaderboard, readRanks } from './leaderboard.ts';
import { addToRollups, ensureRollups, periodsToTrim, rebuildRollups, trimPeriod } from './rollups.ts';
import { readStatistics } from './statistics.ts';

const DAY_MS = 24 * 60 * 60 * 1000;
const START_MS = Date.UTC(2026, 0, 1);
const FEE = 100n;

let database: OpenDatabase;
let nowMs = START_MS;
let context: Context;
const found: { [kind in 'sol' | 'token' | 'free']?: LobbyRow } = {};

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db, { nowMs: () => nowMs });
  const kinds = {
    sol: {},
    token: { tokenMint: walletAddress(randomBase58(32)) },
    free: { lobbyType: 'free', chainLobbyId: null, entryFee: 0n },
  } as const;
  for (const [kind, row] of Object.entries(kinds)) {
    found[kind as keyof typeof kinds] = await newPaidLobby(database.db, { entryFee: FEE, ...row });
  }
  await ensureRollups(context);
});
afterAll(() => database.close());

const newPlayer = async () => (await newUser(database.db)).id;

type Game = {
  readonly kind: keyof typeof found;
  readonly outcome: 'cashout' | 'killed' | 'forfeit';
  readonly amount: bigint;
};

async function play(user: UserId, { kind, outcome, amount }: Game): Promise<void> {
  const lobby = found[kind]!;
  const payoutAmount = outcome === 'killed' ? 0n : amount;
  const entryFee = lobby.entryFee;
  await database.db.transaction(async (tx) => {
    await tx.insert(entries).values({
      id: entryId(randomUUID()),
      userId: user,
      lobbyId: lobby.id,
      state: 'ended',
      paymentSessionId: paymentSessionId(randomUUID()),
      entryFee,
      outcome,
      payoutAmount,
      endedAt: new Date(nowMs),
    });
    await addToRollups(tx, lobby, { userId: user, entryFee, outcome, payoutAmount });
  });
}

async function trimAll(): Promise<void> {
  for (let due = await periodsToTrim(context); due.length > 0; due = await periodsToTrim(context)) {
    for (const days of due) await trimPeriod(context, days);
  }
}

async function readAll() {
  const totals = await database.db.select().from(playerTotals).orderBy(playerTotals.userId);
  const winnings = await database.db
    .select()
    .from(periodWinnings)
    .orderBy(periodWinnings.days, periodWinnings.userId);
  return { totals, winnings };
}

test('after any games and any time the sums are those of all entries', async () => {
  const people = [await newPlayer(), await newPlayer(), await newPlayer()];
  const game = fc.record({
    who: fc.nat(people.length - 1),
    kind: fc.constantFrom('sol' as const, 'sol' as const, 'token' as const, 'free' as const),
    outcome: fc.constantFrom('cashout' as const, 'cashout' as const, 'killed' as const, 'forfeit' as const),
    amount: fc.bigInt(0n, 1_000n),
    waitMs: fc.constantFrom(1, 1_000, DAY_MS / 3, DAY_MS, 4 * DAY_MS, 12 * DAY_MS),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(game, { minLength: 1, maxLength: 15 }), async (games) => {
      for (const { who, waitMs, ...rest } of games) {
        nowMs += waitMs;
        await play(people[who]!, rest);
      }
      await trimAll();
      const kept = await readAll();
      await rebuildRollups(context);
      expect(kept).toEqual(await readAll());
    }),
    { numRuns: 40 },
  );
}, 300_000);

test('a player is ranked by cash-outs in SOL and sees its own figures', async () => {
  const [first, second, third] = [await newPlayer(), await newPlayer(), await newPlayer()];
  nowMs += 100 * DAY_MS;
  await trimAll();
  await play(first, { kind: 'sol', outcome: 'cashout', amount: 5_000_000n });
  await play(first, { kind: 'sol', outcome: 'killed', amount: 0n });
  await play(first, { kind: 'sol', outcome: 'cashout', amount: 101n });
  await play(second, { kind: 'sol', outcome: 'cashout', amount: 4_000_000n });
  await play(second, { kind: 'token', outcome: 'cashout', amount: 9_000_000n });
  await play(third, { kind: 'sol', outcome: 'forfeit', amount: 95n });
  for (const period of LEADERBOARD_PERIODS) {
    const board = await readLeaderboard(context, period);
    expect(board.map(({ _id, totalWinningAmount }) => [_id, totalWinningAmount])).toEqual([
      [first, '5000101'],
      [second, '4000000'],
    ]);
  }
  expect(await readRanks(context, [first, second, third])).toEqual(
    new Map([
      [first, 1],
      [second, 2],
    ]),
  );
  expect(await readStatistics(context, first)).toEqual({
    depositedAmount: '300',
    winningAmount: '5000101',
    biggestWin: '5000000',
    gamesPlayed: 3,
    winrate: 66.67,
    winStreak: 1,
  });
});

test('a board forgets what is older than its period, even with two workers at once', async () => {
  const [day, week] = LEADERBOARD_PERIODS;
  nowMs += 100 * DAY_MS;
  await trimAll();
  const user = await newPlayer();
  await play(user, { kind: 'sol', outcome: 'cashout', amount: 700n });
  nowMs += DAY_MS / 2;
  await play(user, { kind: 'sol', outcome: 'cashout', amount: 200n });
  nowMs += DAY_MS / 2 + 1;
  await Promise.all([trimPeriod(context, 1), trimPeriod(context, 1)]);
  expect(await readLeaderboard(context, day)).toMatchObject([{ _id: user, totalWinningAmount: '200' }]);
  expect(await readLeaderboard(context, week)).toMatchObject([{ _id: user, totalWinningAmount: '900' }]);
  nowMs += DAY_MS;
  await trimAll();
  expect(await readLeaderboard(context, day)).toEqual([]);
});

test('someone who never played has zeros', async () => {
  expect(await readStatistics(context, await newPlayer())).toMatchObject({ gamesPlayed: 0, winrate: 0 });
});

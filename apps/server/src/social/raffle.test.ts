import { randomUUID } from 'node:crypto';
import { raffleBlockMs, raffleDay, raffleDrawMs } from '@engulf/domain/social/raffle';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { type UserRow, users } from '../platform/database/people.ts';
import { raffleDays, raffleEntries, tasks, xAccounts } from '../platform/database/social.ts';
import { startScheduler } from '../platform/scheduler.ts';
import { drawRaffle, undrawnRaffles } from './draw-raffle.ts';
import { enterRaffle, noteRaffleSeen, readRaffle, readRaffleDay } from './raffle.ts';
import { drawWinners } from './raffle-rule.ts';
import { createSocial } from './setup.ts';

const social = createSocial(
  { isProduction: false, x: undefined, telegram: undefined },
  () => 'http://localhost',
);
const BLOCK = { slot: 77n, blockhash: 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT458VkbAfHLAPv' };
const finalized = { winnersPerDay: 1, findBlock: async () => BLOCK };
const DAY_MS = 86_400_000;

let database: OpenDatabase;
let clockMs = Date.parse('2026-11-15T20:00:00Z');
const newContext = () => createBareContext(database.db, { nowMs: () => clockMs });

beforeAll(async () => {
  database = await openTestDatabase();
  await database.db.insert(tasks).values({ id: randomUUID(), action: 'connect', name: 'Connect' });
});
afterAll(() => database.close());
beforeEach(() => {
  // Each test has its own days.
  clockMs = Date.parse(`${raffleDay(clockMs + 10 * DAY_MS)}T20:00:00Z`);
});

async function newConnectedUser(): Promise<UserRow> {
  const user = await newUser(database.db);
  const account = { userId: user.id, xId: user.id, handle: 'somebody', connectedAt: new Date(clockMs) };
  await database.db.insert(xAccounts).values(account);
  return user;
}

async function newEntrants(count: number): Promise<UserRow[]> {
  const entrants: UserRow[] = [];
  for (let nth = 0; nth < count; nth++) {
    const user = await newConnectedUser();
    expect(await enterRaffle(newContext(), social, user)).toMatchObject({ ok: true });
    entrants.push(user);
  }
  return entrants;
}

const resultsOf = (day: string) => database.db.select().from(raffleEntries).where(eq(raffleEntries.day, day));
const reread = async ({ id }: UserRow) =>
  (await database.db.select().from(users).where(eq(users.id, id)))[0]!;

describe('entering', () => {
  test('takes a connected X account, and works once a day', async () => {
    const context = newContext();
    const [stranger, user] = [await newUser(database.db), await newConnectedUser()];
    expect(await enterRaffle(context, social, stranger)).toMatchObject({
      error: { code: 'RAFFLE_TASKS_INCOMPLETE' },
    });
    const twice = await Promise.all([enterRaffle(context, social, user), enterRaffle(context, social, user)]);
    expect(twice.map(({ ok }) => ok).sort()).toEqual([false, true]);
    expect(await readRaffle(context, user)).toMatchObject({ entered: true, result: 'not_declared' });
    await drawRaffle(context, raffleDay(clockMs), finalized);
  });

  test('is over for a day once its list is closed, whatever the clock of a process says', async () => {
    const [user] = await newEntrants(1);
    const late = await newConnectedUser();
    const eveningMs = clockMs;
    clockMs += DAY_MS;
    await drawRaffle(newContext(), raffleDay(eveningMs), {
      winnersPerDay: 1,
      findBlock: async () => undefined,
    });
    clockMs = eveningMs;
    expect(await enterRaffle(newContext(), social, late)).toMatchObject({
      error: { code: 'RAFFLE_ENTRY_FAILED' },
    });
    expect((await resultsOf(raffleDay(eveningMs))).map(({ userId }) => userId)).toEqual([user!.id]);
    await drawRaffle(newContext(), raffleDay(eveningMs), finalized);
  });

  test('is refused to those who have access', async () => {
    const user = { ...(await newConnectedUser()), isRaffleWinner: true };
    expect(await enterRaffle(newContext(), social, user)).toMatchObject({
      error: { code: 'ACCESS_ALREADY_GRANTED' },
    });
  });
});

describe('the draw', () => {
  test('comes at midnight, not a millisecond earlier', async () => {
    await newEntrants(1);
    const day = raffleDay(clockMs);
    clockMs = raffleDrawMs(day) - 1;
    expect(await undrawnRaffles(newContext())).toEqual([]);
    clockMs += 1;
    expect(await undrawnRaffles(newContext())).toEqual([day]);
    await drawRaffle(newContext(), day, finalized);
    expect(await undrawnRaffles(newContext())).toEqual([]);
  });

  test('is made once by two workers that see midnight together', async () => {
    const entrants = await newEntrants(7);
    const day = raffleDay(clockMs);
    // Each worker asks a node, and the two nodes do not agree.
    const blocks = [BLOCK, { slot: 78n, blockhash: 'another' }];
    let isAsked = 0;
    const workers = blocks.map((block) => {
      const context = newContext();
      const findBlock = async () => {
        isAsked++;
        return block;
      };
      return startScheduler(
        [
          {
            name: 'draw-raffle',
            everyMs: 1_000,
            due: () => undrawnRaffles(context),
            run: (key) => drawRaffle(context, key, { winnersPerDay: 2, findBlock }),
          },
        ],
        context.logger,
      );
    });
    clockMs = raffleDrawMs(day);
    await expect.poll(() => undrawnRaffles(newContext()), { timeout: 30_000 }).toEqual([]);
    await Promise.all(workers.map((worker) => worker.stop()));
    expect(isAsked).toBeGreaterThan(0);

    const shown = (await readRaffleDay(newContext(), day, 2))!;
    expect(shown.winners).toHaveLength(2);
    expect(shown.winners.toSorted()).toEqual(drawWinners(shown.blockhash!, shown.entries, 2).toSorted());
    const rows = await Promise.all(entrants.map(reread));
    const lucky = rows.filter(({ isRaffleWinner }) => isRaffleWinner);
    expect(lucky.map((user) => user.walletAddress).toSorted()).toEqual(shown.winners.toSorted());
  });

  test('of a day in no year that there was is not found', async () => {
    expect(await readRaffleDay(newContext(), '0000-01-01')).toBeUndefined();
  });

  test('goes on after a restart in its middle, with the same list', async () => {
    const entrants = await newEntrants(3);
    const day = raffleDay(clockMs);
    clockMs = raffleDrawMs(day) + 1_000;
    const dies = async () => {
      throw new Error('killed');
    };
    await expect(drawRaffle(newContext(), day, { winnersPerDay: 1, findBlock: dies })).rejects.toThrow(
      'killed',
    );
    const [closed] = await database.db.select().from(raffleDays).where(eq(raffleDays.day, day));
    expect(closed).toMatchObject({ drawnAt: null, winnersPerDay: 1 });
    // Started again hours later, and configured differently: what was closed is drawn as it was announced.
    clockMs += DAY_MS / 2;
    await drawRaffle(newContext(), day, { ...finalized, winnersPerDay: 3 });
    const results = await resultsOf(day);
    expect(results.filter(({ result }) => result === 'won')).toHaveLength(1);
    expect(results.filter(({ result }) => result === 'lost')).toHaveLength(2);
    // Once more changes nothing.
    await drawRaffle(newContext(), day, {
      winnersPerDay: 3,
      findBlock: async () => ({ slot: 1n, blockhash: 'x' }),
    });
    expect(await resultsOf(day)).toEqual(results);
    const [winner] = results.filter(({ result }) => result === 'won');
    const user = entrants.find(({ id }) => id === winner!.userId)!;
    expect(await readRaffle(newContext(), user)).toMatchObject({ result: 'won', isNotified: false });
    await noteRaffleSeen(newContext(), user);
    expect(await readRaffle(newContext(), user)).toMatchObject({ result: 'won', isNotified: true });
  });

  test('waits while the block that decides is not finalized', async () => {
    const [user] = await newEntrants(1);
    const day = raffleDay(clockMs);
    clockMs = raffleDrawMs(day) + 1;
    await drawRaffle(newContext(), day, { winnersPerDay: 1, findBlock: async () => undefined });
    expect(await readRaffle(newContext(), user!)).toMatchObject({ entered: true, result: 'not_declared' });
    await drawRaffle(newContext(), day, finalized);
    expect(await readRaffle(newContext(), user!)).toMatchObject({ entered: false, result: 'won' });
  });

  test('is not decided by a block that existed when the list closed, although the clock of the chain is ahead', async () => {
    await newEntrants(2);
    const day = raffleDay(clockMs);
    const aheadMs = 120_000;
    const findBlock = async (_chain: unknown, atMs: number) =>
      atMs <= clockMs + aheadMs ? BLOCK : undefined;
    // The last moment at which somebody can enter, knowing every block that there is.
    clockMs = raffleDrawMs(day) - 1;
    expect(raffleBlockMs(day)).toBeGreaterThan(clockMs + aheadMs);
    clockMs += 1;
    await drawRaffle(newContext(), day, { winnersPerDay: 1, findBlock });
    expect(await undrawnRaffles(newContext())).toEqual([day]);
    clockMs = raffleBlockMs(day) - aheadMs;
    await drawRaffle(newContext(), day, { winnersPerDay: 1, findBlock });
    expect(await undrawnRaffles(newContext())).toEqual([]);
    const closesAt = new Date(raffleDrawMs(day)).toISOString();
    const { rule } = (await readRaffleDay(newContext(), day))!;
    expect(rule).toContain(`closes at ${closesAt}`);
    expect(rule).toContain(`whose time is ${closesAt.replace('00:00:00', '00:10:00')} or later`);
  });

  test('of a day that was closed before there was a margin is decided by the first block after midnight', async () => {
    const [user] = await newEntrants(1);
    const day = raffleDay(clockMs);
    clockMs = raffleDrawMs(day) + 1;
    const closed = { closedAt: new Date(clockMs), winnersPerDay: 1 };
    await database.db.update(raffleDays).set(closed).where(eq(raffleDays.day, day));
    const findBlock = async (_chain: unknown, atMs: number) => (atMs <= clockMs ? BLOCK : undefined);
    await drawRaffle(newContext(), day, { winnersPerDay: 1, findBlock });
    expect(await readRaffle(newContext(), user!)).toMatchObject({ result: 'won' });
    const midnight = new Date(raffleDrawMs(day)).toISOString();
    expect((await readRaffleDay(newContext(), day))!.rule).toContain(`whose time is ${midnight} or later`);
  });

  test('waits if the node has forgotten the block that decides, and raises an alarm', async () => {
    const [user] = await newEntrants(1);
    const day = raffleDay(clockMs);
    clockMs = raffleDrawMs(day) + 1;
    const alarm = vi.fn();
    const context = { ...newContext(), logger: { error: alarm } } as unknown as Context;
    await drawRaffle(context, day, { winnersPerDay: 1, findBlock: async () => 'forgotten' });
    expect(alarm).toHaveBeenCalledWith({ code: 'RAFFLE_BLOCK_FORGOTTEN', day }, expect.any(String));
    expect(await undrawnRaffles(newContext())).toEqual([day]);
    await drawRaffle(newContext(), day, finalized);
    expect(await readRaffle(newContext(), user!)).toMatchObject({ result: 'won' });
  });
});

test('who lost may enter again the next day', async () => {
  const entrants = await newEntrants(2);
  const day = raffleDay(clockMs);
  clockMs = raffleDrawMs(day) + 60_000;
  await drawRaffle(newContext(), day, finalized);
  const results = await resultsOf(day);
  const loser = entrants.find(({ id }) => results.find(({ userId }) => userId === id)!.result === 'lost')!;
  expect(await readRaffle(newContext(), loser)).toMatchObject({ entered: false, result: 'lost' });
  expect(await enterRaffle(newContext(), social, loser)).toMatchObject({ ok: true });
  expect(await readRaffle(newContext(), loser)).toMatchObject({ entered: true, result: 'not_declared' });
});

import { randomUUID } from 'node:crypto';
import { raffleDay } from '@engulf/domain/social/raffle';
import { asc, eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { newUser } from '../../testing/new-user.ts';
import {
  expectBooksToMatchTheChain,
  newPaidPlayer,
  type PaidPlayer,
  STAKE,
} from '../../testing/paid-players.ts';
import { lamportsOf } from '../../testing/players.ts';
import { isMissing, type Service, startPostgres } from '../../testing/services.ts';
import { startTestServer, type TestServer } from '../../testing/test-server.ts';
import { settleEntry } from '../entries/settle-entry.ts';
import type { LobbyRow } from '../lobbies/lobby-rows.ts';
import { readConfig } from '../platform/config/config.ts';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import { payoutBatches, payouts } from '../platform/database/money.ts';
import { users } from '../platform/database/people.ts';
import { raffleDays, raffleEntries } from '../platform/database/social.ts';
import { drawRaffle } from '../social/draw-raffle.ts';
import { createSocial } from '../social/setup.ts';
import { startWorker } from './worker.ts';

/* On PostgreSQL, whose transactions really run at the same time. The embedded database has them one after another. */

const BLOCK = { slot: 77n, blockhash: 'GfVcyD4kkTrj4bKc7WA9sZCin9JDbdT458VkbAfHLAPv' };
describe.skipIf(isMissing('postgres'))('two workers (needs postgres)', () => {
  let postgres: Service;
  let server: TestServer;
  let lobby: LobbyRow;

  beforeAll(async () => {
    postgres = await startPostgres();
    vi.stubEnv('TEST_DATABASE_URL', postgres.url);
    server = await startTestServer();
    lobby = await server.lobby('Shallows');
  });
  afterAll(async () => {
    await server?.dispose();
    await postgres.dispose();
  });

  const cashOut = ({ entryId }: PaidPlayer) =>
    server.context.db.transaction((tx) =>
      settleEntry(server.context, tx, { entryId, kind: 'cashout', amount: STAKE, massMilli: 1_000 }),
    );

  async function untilPaid({ db }: Context, count: number): Promise<void> {
    await vi.waitFor(
      async () => {
        const paid = await db.select().from(payouts).where(eq(payouts.status, 'completed'));
        expect(paid).toHaveLength(count);
      },
      { timeout: 40_000, interval: 200 },
    );
  }

  test('two workers at once pay every cash-out and every refund once', async () => {
    const { context } = server;
    const players: PaidPlayer[] = [];
    for (let nth = 0; nth < 8; nth++) players.push(await newPaidPlayer(server, lobby));
    const before = await Promise.all(players.map(({ wallet }) => lamportsOf(context, wallet)));
    // Nobody runs the match, so whoever has not cashed out is refunded.
    for (const player of players.slice(0, 4)) await cashOut(player);
    const social = createSocial(readConfig({}), () => 'http://localhost');
    const workers = [server.afterRestart(), server.afterRestart()].map((own) =>
      startWorker(own, readConfig({}), social),
    );
    try {
      await untilPaid(context, players.length);
    } finally {
      await Promise.all(workers.map((worker) => worker.stop()));
    }
    const after = await Promise.all(players.map(({ wallet }) => lamportsOf(context, wallet)));
    expect(after.map((lamports, index) => lamports - before[index]!)).toEqual(players.map(() => STAKE));
    const ended = await context.db.select().from(entries).orderBy(asc(entries.createdAt));
    expect(ended.map(({ outcome }) => outcome)).toEqual([
      ...Array(4).fill('cashout'),
      ...Array(4).fill('fault'),
    ]);
    const batches = await context.db.select().from(payoutBatches);
    expect(batches.every(({ status }) => status === 'finalized')).toBe(true);
    await expectBooksToMatchTheChain(context, lobby);
  });

  test('two workers at once draw a raffle once', async () => {
    const { db, nowMs } = server.context;
    const day = raffleDay(nowMs() - 2 * 86_400_000);
    await db.insert(raffleDays).values({ day });
    for (let nth = 0; nth < 20; nth++) {
      const { id: userId, walletAddress } = await newUser(db);
      await db.insert(raffleEntries).values({ day, userId, walletAddress, enteredAt: new Date(nowMs()) });
    }
    const findBlock = async () => ({
      ...BLOCK,
      blockhash: `${BLOCK.blockhash.slice(0, -4)}${randomUUID().slice(0, 4)}`,
    });
    const draws = Array.from({ length: 8 }, () =>
      drawRaffle(server.afterRestart(), day, { winnersPerDay: 3, findBlock }),
    );
    await Promise.all(draws);
    const results = await db.select().from(raffleEntries).where(eq(raffleEntries.day, day));
    expect(results.filter(({ result }) => result === 'won')).toHaveLength(3);
    expect(await db.select().from(users).where(eq(users.isRaffleWinner, true))).toHaveLength(3);
  });
});

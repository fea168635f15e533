import { randomUUID } from 'node:crypto';
import { entryId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { REASON } from '../../testing/admin/operated-lobbies.ts';
import { createOperator, dumpDatabase, type Operator } from '../../testing/admin/operator.ts';
import { createBareContext } from '../../testing/bare-context.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import { entries } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { raffleDays, raffleEntries, tasks } from '../platform/database/social.ts';
import { playerTotals } from '../platform/database/stats.ts';
import { drawRaffle } from '../social/draw-raffle.ts';
import { ensureRollups } from '../stats/rollups.ts';

let database: OpenDatabase;
let context: Context;
let operator: Operator;

beforeAll(async () => {
  database = await openTestDatabase();
  context = createBareContext(database.db);
  operator = createOperator(context);
});
afterAll(() => database.close());

describe('tasks', () => {
  const rows = () => database.db.select().from(tasks);

  test('are created, listed, taken out and put back, each with a note', async () => {
    const created = await operator.run(
      ...['tasks', 'create', 'like', '--name', 'Like it', '--tweet-id', '123', '--order', '3', ...REASON],
    );
    expect(created).toMatchObject({ code: 0, errors: '' });
    const [task] = await rows();
    expect(task).toMatchObject({
      action: 'like',
      name: 'Like it',
      tweetId: '123',
      sortOrder: 3,
      isActive: true,
    });
    expect((await operator.run('tasks', 'list')).output).toContain('Like it');
    await operator.run('tasks', 'disable', task!.id, ...REASON);
    expect(await rows()).toMatchObject([{ isActive: false }]);
    expect((await operator.run('tasks', 'disable', task!.id, ...REASON)).output).toContain(
      'Nothing to change',
    );
    await operator.run('tasks', 'enable', task!.id, ...REASON);
    expect(await rows()).toMatchObject([{ isActive: true }]);
    const { output } = await operator.run('audit', 'list', '--subject', task!.id);
    for (const action of ['tasks create', 'tasks disable', 'tasks enable']) expect(output).toContain(action);
  });

  test.each([
    ['a like without a post', ['like', '--name', 'x']],
    ['a join without a group', ['join', '--name', 'x']],
    ['a link without an address', ['visit', '--name', 'x']],
    ['an address that runs a script', ['visit', '--name', 'x', '--url', 'javascript:alert(1)']],
    ['a post that is not a number', ['like', '--name', 'x', '--tweet-id', '../1']],
    ['no name', ['connect']],
  ])('are refused with %s', async (_, argv) => {
    const before = await dumpDatabase(context);
    expect((await operator.run('tasks', 'create', ...argv, ...REASON)).code).not.toBe(0);
    expect(await dumpDatabase(context)).toBe(before);
  });

  test('that do not exist cannot be disabled', async () => {
    expect((await operator.run('tasks', 'disable', 'nothing', ...REASON)).errors).toContain(
      'There is no task',
    );
  });
});

describe('the raffle', () => {
  const day = '2026-03-31';

  test('is shown with its proof, and a wrong winner is found out', async () => {
    await database.db.insert(raffleDays).values({ day });
    const players = [await newUser(database.db), await newUser(database.db), await newUser(database.db)];
    for (const { id: userId, walletAddress } of players)
      await database.db.insert(raffleEntries).values({ day, userId, walletAddress, enteredAt: new Date() });
    expect((await operator.run('raffle', 'show', day)).output).toContain('not drawn yet');
    await drawRaffle(context, day, {
      winnersPerDay: 1,
      findBlock: async () => ({ slot: 7n, blockhash: 'Bl0ckhash' }),
    });
    const { output } = await operator.run('raffle', 'show', day);
    expect(output).toContain('the winners follow from the block');
    expect(output).toContain('Bl0ckhash');
    for (const { walletAddress } of players) expect(output).toContain(`entered  ${walletAddress}`);
    expect((await operator.run('raffle', 'list')).output).toMatch(/2026-03-31\s+3\s+1\s/);

    const [winner] = await database.db.select().from(raffleEntries).where(eq(raffleEntries.result, 'won'));
    await database.db
      .update(raffleEntries)
      .set({ result: 'lost' })
      .where(eq(raffleEntries.userId, winner!.userId));
    expect((await operator.run('raffle', 'show', day)).output).toContain('WRONG');
  });

  test('of a day without one is refused', async () => {
    expect((await operator.run('raffle', 'show', '2020-01-01')).errors).toContain('There was no raffle');
    expect((await operator.run('raffle', 'show', 'today')).errors).toContain('A day is written');
  });
});

describe('stats rebuild', () => {
  test('says what differs, repairs it when asked, and then finds nothing', async () => {
    const { db } = database;
    const lobby = await newPaidLobby(db);
    const user = await newUser(db);
    await db.insert(entries).values({
      id: entryId(randomUUID()),
      userId: user.id,
      lobbyId: lobby.id,
      state: 'ended',
      paymentSessionId: paymentSessionId(randomUUID()),
      entryFee: 100n,
      endedAt: new Date(Date.now() - 60_000),
      outcome: 'cashout',
      payoutAmount: 250n,
    });
    await ensureRollups(context);
    expect((await operator.run('stats', 'rebuild', ...REASON)).output).toContain('Nothing to change');

    await db.update(playerTotals).set({ winnings: 999n }).where(eq(playerTotals.userId, user.id));
    const before = await dumpDatabase(context);
    const { output } = await operator.run('stats', 'rebuild', '--dry-run', ...REASON);
    expect(output).toContain('the totals of 1 players and 0 sums of leaderboards differ');
    expect(output).toContain('"winnings":999');
    expect(await dumpDatabase(context)).toBe(before);

    expect(await operator.run('stats', 'rebuild', ...REASON)).toMatchObject({ code: 0 });
    expect(await db.select().from(playerTotals)).toMatchObject([{ userId: user.id, winnings: 250n }]);
    expect((await operator.run('stats', 'rebuild', ...REASON)).output).toContain('Nothing to change');
    expect((await operator.run('audit', 'list', '--subject', 'stats')).output).toContain('stats rebuild');
  });
});

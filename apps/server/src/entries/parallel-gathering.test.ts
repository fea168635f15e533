import type { UserId } from '@engulf/domain/ids/entity-ids';
import { sql } from 'drizzle-orm';
import { describe, expect, onTestFinished, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { newUser } from '../../testing/new-user.ts';
import { isMissing, startPostgres } from '../../testing/services.ts';
import { soon } from '../../testing/soon.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { decideGathering } from '../gathering/decide-gathering.ts';
import { beginWaiting, findGatherer, listGatherers, noteSeen } from '../gathering/gatherers.ts';
import { GATHERING } from '../gathering/gathering-rules.ts';
import type { Context } from '../platform/context.ts';
import { gatherPlayers } from './gather-players.ts';
import { lockLobby } from './seats.ts';

/* On PostgreSQL, whose transactions really run at the same time. The embedded database has them one after another. */
describe.skipIf(isMissing('postgres'))('gathering in many lobbies at once (needs postgres)', () => {
  async function start(): Promise<Context> {
    const postgres = await startPostgres();
    onTestFinished(() => postgres.dispose());
    vi.stubEnv('TEST_DATABASE_URL', postgres.url);
    onTestFinished(() => {
      vi.unstubAllEnvs();
    });
    const database = await openTestDatabase();
    onTestFinished(() => database.close());
    return createBareContext(database.db);
  }

  async function newOpenLobby({ db, presence }: Context) {
    const lobby = await newPaidLobby(db, { maxPlayers: 100, gatherSize: 100 });
    await presence.announce(lobby.id, { totalPlayers: 0, totalBots: 0, poolTotal: 0n });
    return lobby;
  }

  test('an address has no more places in many lobbies than in one', async () => {
    const context = await start();
    const client = { address: '198.51.100.1', limitScale: 1 };
    const calls = await Promise.all(
      Array.from({ length: 8 }, async () => {
        const { id: lobbyId } = await newOpenLobby(context);
        const user = await newUser(context.db, { isRaffleWinner: true });
        return () => gatherPlayers(context, user, { lobbyId, lobbyCode: undefined, client });
      }),
    );
    const answers = await Promise.all(calls.map((gather) => gather()));
    expect(answers.filter(({ ok }) => ok)).toHaveLength(GATHERING.maxPerAddress);
    expect(await listGatherers(context.db, Date.now())).toHaveLength(GATHERING.maxPerAddress);
  });

  test('a menu and a worker that lock the same people do not wait for each other', async () => {
    const context = await start();
    const { db } = context;
    const lobby = await newOpenLobby(context);
    const ids: UserId[] = [];
    for (let nth = 0; nth < 3; nth++) ids.push((await newUser(db)).id);
    // Whoever came first has the last id, so that the order of the line is not that of the ids.
    ids.sort();
    const nowMs = Date.now();
    for (const [nth, userId] of ids.entries())
      await beginWaiting(db, { userId, lobbyId: lobby.id, addressHash: null }, nowMs - nth);
    const waiting = sql<{ count: number }>`select count(*)::int from pg_stat_activity
      where wait_event_type = 'Lock' and datname = current_database()`;
    const both = await db.transaction(async (tx) => {
      await findGatherer(tx, ids[1]!);
      // Each has locked some of them by now, and waits for the one in the middle.
      const work = [noteSeen(db, ids, nowMs), decideGathering(context, lobby.id, lockLobby)];
      await soon(async () => expect((await db.execute(waiting)).rows).toEqual([{ count: 2 }]));
      return { done: Promise.allSettled(work) };
    });
    expect(await both.done).toMatchObject([{ status: 'fulfilled' }, { status: 'fulfilled' }]);
  });
});

import { randomUUID } from 'node:crypto';
import { entryId, paymentSessionId } from '@engulf/domain/ids/entity-ids';
import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { entries } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import type { UserRow } from '../platform/database/people.ts';
import { openSharedState } from '../platform/fleet/shared-state.ts';
import { startMenuServer } from '../testing/menu-server.ts';
import { newLobby } from '../testing/new-lobby.ts';
import { newUser } from '../testing/new-user.ts';
import { isMissing, type Service, startRedis } from '../testing/services.ts';
import { soon } from '../testing/soon.ts';
import { openTestDatabase } from '../testing/test-database.ts';

describe.skipIf(isMissing('redis-server'))('the menu in two processes (needs redis-server)', () => {
  let redis: Service;
  let database: OpenDatabase;
  const menus: Awaited<ReturnType<typeof startMenuServer>>[] = [];
  const states: { close(): void }[] = [];

  beforeAll(async () => {
    [redis, database] = await Promise.all([startRedis(), openTestDatabase()]);
    const { db } = database;
    for (const processId of ['first', 'second']) {
      const deps = { processId, logger: pino({ level: 'silent' }), nowMs: Date.now };
      const state = openSharedState(redis.url, { ...deps, listRunning: async () => [] });
      states.push(state);
      menus.push(await startMenuServer({ ...state, db }));
      await soon(() => expect(state.bus.wholeSinceMs()).toBeDefined());
    }
  });
  afterAll(async () => {
    for (const menu of menus) await menu.dispose();
    for (const state of states) state.close();
    await database.close();
    await redis.dispose();
  });

  async function newPlayer(): Promise<UserRow> {
    const user = await newUser(database.db);
    const lobby = await newLobby(database.db);
    await database.db.insert(entries).values({
      id: entryId(randomUUID()),
      userId: user.id,
      lobbyId: lobby.id,
      state: 'playing',
      paymentSessionId: paymentSessionId(randomUUID()),
      entryFee: 0n,
      stake: 0n,
      createdAt: new Date(),
    });
    return user;
  }

  test('a window is warned of another one of its user, whichever process that is in', async () => {
    const user = await newPlayer();
    const heard: string[] = [];
    const openAt = (menu: number) =>
      menus[menu]!.open({
        user,
        prepare: (socket) => socket.on('session_warning', () => heard.push(`window ${menu}`)),
      });
    await openAt(0);
    // Its session is looked up after it has connected.
    await soon(async () => {
      const window = await openAt(1);
      await vi.waitFor(() => expect(heard).toContain('window 1')).finally(() => window.disconnect());
    });
    expect(heard).not.toContain('window 0');
  });

  test('a line written in one menu is read in the other', async () => {
    const reader = await menus[0]!.open();
    const lines: string[] = [];
    reader.on('lobby:chat:message', ({ message }: { message: string }) => lines.push(message));
    const writer = await menus[1]!.open({ user: await newUser(database.db) });
    writer.emit('lobby:chat:send', { message: 'hello over there' });
    await soon(() => expect(lines).toEqual(['hello over there']));
  });
});

import { pino } from 'pino';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startMenuServer } from '../../testing/menu-server.ts';
import { newUser } from '../../testing/new-user.ts';
import { isMissing, type Service, startRedis } from '../../testing/services.ts';
import { soon } from '../../testing/soon.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { openSharedState } from '../platform/fleet/shared-state.ts';

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

  test('a line written in one menu is read in the other', async () => {
    const reader = await menus[0]!.open();
    const lines: string[] = [];
    reader.on('lobby:chat:message', ({ message }: { message: string }) => lines.push(message));
    const writer = await menus[1]!.open({ user: await newUser(database.db) });
    writer.emit('lobby:chat:send', { message: 'hello over there' });
    await soon(() => expect(lines).toEqual(['hello over there']));
  });
});

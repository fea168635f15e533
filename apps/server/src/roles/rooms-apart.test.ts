import { createServer } from 'node:http';
import { afterEach, expect, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { soon } from '../../testing/soon.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { createEntrance } from '../game/entrance/entrance.ts';
import { systemClock } from '../platform/clock.ts';
import { readConfig } from '../platform/config/config.ts';
import { gameProcesses } from '../platform/database/games.ts';
import type { GameOptions } from './game-place.ts';
import { startRoomsApart } from './rooms-apart.ts';

afterEach(() => vi.unstubAllGlobals());

test('a room process whose place was declared dead before it was up is replaced', async () => {
  const database = await openTestDatabase();
  const { db } = database;
  // Heartbeats every ten milliseconds: the first one comes before any process can be up.
  const { setInterval } = globalThis;
  vi.stubGlobal('setInterval', (run: () => void, ms: number) => setInterval(run, ms / 100));
  const entrance = createEntrance({
    clock: systemClock,
    log: () => {},
    addressOf: () => '',
    isOwnOrigin: () => true,
    limitScale: 1,
  });
  const environment = { DATABASE_URL: 'postgres://elsewhere', ROOM_PROCESSES: '1', LOG_LEVEL: 'silent' };
  const starting = startRoomsApart(createBareContext(db), {
    server: createServer(),
    entrance,
    config: readConfig(environment),
    chat: { subscribe: () => () => {} },
  } as unknown as GameOptions);
  // As after a freeze of its host.
  await soon(async () => expect(await db.delete(gameProcesses).returning()).toHaveLength(1));
  const rooms = await starting;
  try {
    await soon(async () => expect(await rooms.canTakeLobbies()).toBe(true));
  } finally {
    await rooms.stop();
    await database.close();
  }
});

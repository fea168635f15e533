import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { readConfig } from '../platform/config/config.ts';
import { gameProcesses } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { type GameOptions, takePlace } from './game-place.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

test('a place that could not be taken whole has no heartbeat: nobody leaves a lobby or a match to it', async () => {
  const { db } = database;
  const options = { config: readConfig({}) } as GameOptions;
  const select = vi.spyOn(db, 'select').mockImplementationOnce(() => {
    throw new Error('Connection terminated unexpectedly');
  });
  const taking = takePlace(createBareContext(db), options, undefined);
  await expect(taking).rejects.toThrow('Connection terminated');
  select.mockRestore();
  expect(await db.select().from(gameProcesses)).toEqual([]);
});

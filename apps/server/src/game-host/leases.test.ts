import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { insertPlayingEntry, withWriteFailures } from '../../testing/game-host/ledger-lobby.ts';
import { newLobby, newPaidLobby } from '../../testing/new-lobby.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { orphanedEntries } from '../entries/recover-entries.ts';
import { hasRoom } from '../lobbies/lease.ts';
import { systemClock } from '../platform/clock.ts';
import { entries, gameProcesses } from '../platform/database/games.ts';
import type { Database, OpenDatabase } from '../platform/database/open-database.ts';
import { createLeases } from './leases.ts';

let database: OpenDatabase;
beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

/** A database in which a transaction can be made to wait until it is let through, as on a connection of its own. */
function withSlowTransaction(db: Database) {
  const gate = Promise.withResolvers<void>();
  let isNextSlow = false;
  const slow = new Proxy(db, {
    get: (target, name) =>
      name === 'transaction'
        ? async (work: Parameters<Database['transaction']>[0]) => {
            const isSlow = isNextSlow;
            isNextSlow = false;
            if (isSlow) await gate.promise;
            return target.transaction(work);
          }
        : Reflect.get(target, name),
  });
  const slowDown = () => {
    isNextSlow = true;
  };
  return { slow, slowDown, letThrough: gate.resolve };
}

test('a lobby that opens again while its lease is being released keeps the lease that it takes', async () => {
  const { db } = database;
  const { id } = await newLobby(db);
  const processId = randomUUID();
  await db.insert(gameProcesses).values({ id: processId, address: null, version: 'one' });
  const { slow, slowDown, letThrough } = withSlowTransaction(db);
  const leases = createLeases(createBareContext(slow, { processId }), systemClock);
  expect(await leases.take(id)).toBe(true);
  slowDown();
  const released = leases.release(id);
  const taken = leases.take(id);
  // Longer than taking it would last, if it did not wait for the release.
  for (let query = 0; query < 20; query++) expect(await hasRoom({ db }, id)).toBe(true);
  letThrough();
  await released;
  expect(await taken).toBe(true);
  expect(await leases.owns(db, id)).toBe(true);
});

test('a lease whose release fails is released as soon as the database answers, and so is what was open under it', async () => {
  const { db } = database;
  const { id } = await newPaidLobby(db);
  const processId = randomUUID();
  await db.insert(gameProcesses).values({ id: processId, address: null, version: 'one' });
  const { context, failures } = withWriteFailures(createBareContext(db, { processId }));
  const leases = createLeases(context, systemClock);
  expect(await leases.take(id)).toBe(true);
  const entryId = await insertPlayingEntry(context, id, 50n);
  await db.update(entries).set({ heldBy: processId }).where(eq(entries.id, entryId));
  expect(await orphanedEntries(context)).toEqual([]);
  failures.push('noConnection', 'lostInside', 'lostAfterCommit');
  await leases.release(id);
  expect(await hasRoom({ db }, id)).toBe(false);
  expect(await orphanedEntries(context)).toEqual([entryId]);
});

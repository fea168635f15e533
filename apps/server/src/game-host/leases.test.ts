import { randomUUID } from 'node:crypto';
import { eq } from 'drizzle-orm';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createBareContext } from '../../testing/bare-context.ts';
import { insertPlayingEntry, withWriteFailures } from '../../testing/game-host/ledger-lobby.ts';
import { newLobby, newPaidLobby } from '../../testing/new-lobby.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { orphanedEntries } from '../entries/recover-entries.ts';
import { hasRoom } from '../lobbies/lease.ts';
import { systemClock } from '../platform/clock.ts';
import { entries, gameProcesses, lobbies } from '../platform/database/games.ts';
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

describe('regions', () => {
  let nowMs = 0;
  const clock = { ...systemClock, monotonicMs: () => nowMs };
  beforeEach(() => database.db.delete(gameProcesses));

  async function newLeases(region: string | null, isStandby = false) {
    const processId = randomUUID();
    await database.db.insert(gameProcesses).values({ id: processId, address: null, region, version: 'one' });
    const leases = createLeases(createBareContext(database.db, { processId }), clock, { region, isStandby });
    const end = () => database.db.delete(gameProcesses).where(eq(gameProcesses.id, processId));
    return { ...leases, end };
  }

  async function newLobbyIn(region: string | null) {
    const lobby = await newLobby(database.db);
    await database.db.update(lobbies).set({ region }).where(eq(lobbies.id, lobby.id));
    return { id: lobby.id, region };
  }

  test('a lobby is taken in its region only; one without a region, or by a process without one, anywhere', async () => {
    const [near, far] = [await newLobbyIn('eu'), await newLobbyIn('us')];
    const eu = await newLeases('eu');
    nowMs += 3_600_000;
    expect(await eu.take(far.id)).toBe(false);
    expect(await eu.take(near.id)).toBe(true);
    expect(await eu.take((await newLobbyIn(null)).id)).toBe(true);
    expect(await (await newLeases(null)).take(far.id)).toBe(true);
  });

  test('a standby takes a lobby whose region has had no process for a minute, and gives it back once it has', async () => {
    const lobby = await newLobbyIn('us');
    const [home, standby] = [await newLeases('us'), await newLeases('eu', true)];
    expect(await standby.take(lobby.id)).toBe(false);
    await home.end();
    nowMs += 3_600_000;
    // It has only just seen that nobody is there.
    expect(await standby.take(lobby.id)).toBe(false);
    nowMs += 59_000;
    expect(await standby.take(lobby.id)).toBe(false);
    nowMs += 1_000;
    expect(await standby.take(lobby.id)).toBe(true);
    expect(await standby.look([lobby])).toEqual(new Set());
    await newLeases('us');
    expect(await standby.look([lobby])).toEqual(new Set([lobby.id]));
  });

  test('a region that comes back in time keeps its lobbies, and its next absence is counted anew', async () => {
    const lobby = await newLobbyIn('us');
    const standby = await newLeases('eu', true);
    expect(await standby.take(lobby.id)).toBe(false);
    nowMs += 59_000;
    const home = await newLeases('us');
    expect(await standby.take(lobby.id)).toBe(false);
    await home.end();
    nowMs += 59_000;
    expect(await standby.take(lobby.id)).toBe(false);
  });
});

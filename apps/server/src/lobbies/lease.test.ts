import { randomUUID } from 'node:crypto';
import type { LobbyId } from '@engulf/domain/ids/entity-ids';
import { eq } from 'drizzle-orm';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { newLobby } from '../../testing/new-lobby.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import type { Context } from '../platform/context.ts';
import { gameProcesses } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { markDraining } from '../platform/fleet/game-processes.ts';
import {
  chooseSuccessor,
  findRoom,
  hasRoom,
  holdsLease,
  isLeastLoaded,
  readPlaces,
  releaseLease,
  takeLease,
} from './lease.ts';

let database: OpenDatabase;
let lobby: LobbyId;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  await database.db.delete(gameProcesses);
  lobby = (await newLobby(database.db)).id;
});
afterAll(() => database.close());

const eqId = ({ processId }: Context) => eq(gameProcesses.id, processId);

async function newProcess({
  address = null as string | null,
  region = null as string | null,
  version = 'one',
} = {}): Promise<Context> {
  const processId = randomUUID();
  await database.db.insert(gameProcesses).values({ id: processId, address, region, version });
  return { db: database.db, logger: pino({ level: 'silent' }), processId } as Context;
}

test('a lobby is leased to one of two processes that ask at once, and to the other once it is released', async () => {
  const [first, second] = [await newProcess(), await newProcess()];
  const taken = await Promise.all([takeLease(first, lobby), takeLease(second, lobby)]);
  expect(taken.filter(Boolean)).toHaveLength(1);
  const [holder, other] = taken[0] ? [first, second] : [second, first];
  expect(await takeLease(holder, lobby)).toEqual(taken[0] ?? taken[1]);
  await releaseLease(other, lobby);
  expect(await takeLease(other, lobby)).toBeUndefined();
  await releaseLease(holder, lobby);
  expect(await hasRoom(holder, lobby)).toBe(false);
  expect(await takeLease(other, lobby)).toBeDefined();
});

test('the process that has a lobby is named by its address', async () => {
  const holder = await newProcess({ address: 'https://play.example/game/1' });
  expect(await findRoom(holder, lobby)).toBeUndefined();
  await takeLease(holder, lobby);
  expect(await findRoom(holder, lobby)).toEqual({ address: 'https://play.example/game/1' });
});

test('a lease ends with its process, and its token proves nothing from then on', async () => {
  const [silent, next] = [await newProcess(), await newProcess()];
  const old = (await takeLease(silent, lobby))!;
  expect(await holdsLease(database.db, lobby, old)).toBe(true);
  await database.db.delete(gameProcesses).where(eqId(silent));
  expect(await holdsLease(database.db, lobby, old)).toBe(false);
  const lease = (await takeLease(next, lobby))!;
  expect(lease.token).toBeGreaterThan(old.token);
  expect(await holdsLease(database.db, lobby, old)).toBe(false);
  await expect(takeLease(silent, (await newLobby(database.db)).id)).rejects.toThrow();
});

test('a lobby has the address of the process that runs it', async () => {
  const process = await newProcess({ address: 'https://play.example/game/1' });
  await takeLease(process, lobby);
  expect(await readPlaces(process)).toEqual(
    new Map([[lobby, { address: 'https://play.example/game/1', region: null }]]),
  );
});

test('the process with the least load opens lobbies; one that is about to stop does not count', async () => {
  const [busy, free] = [await newProcess(), await newProcess()];
  expect(await isLeastLoaded(busy)).toBe(true);
  await takeLease(busy, lobby);
  expect(await isLeastLoaded(busy)).toBe(false);
  expect(await isLeastLoaded(free)).toBe(true);
  await markDraining(free);
  expect(await isLeastLoaded(busy)).toBe(true);
});

test('the successor is of the same version, stays, and has the least to do', async () => {
  const leaving = await newProcess();
  const other = await newProcess({ version: 'two' });
  expect(await chooseSuccessor(leaving)).toBeUndefined();
  const [busy, free] = [await newProcess(), await newProcess()];
  await takeLease(busy, lobby);
  expect(await chooseSuccessor(leaving)).toMatchObject({ id: free.processId });
  await markDraining(free);
  expect(await chooseSuccessor(leaving)).toMatchObject({ id: busy.processId });
  expect(await chooseSuccessor(other)).toBeUndefined();
});

test('load is compared among processes that may take the lobby: those of its region, and of none', async () => {
  const [busy, far] = [await newProcess({ region: 'eu' }), await newProcess({ region: 'us' })];
  await takeLease(busy, lobby);
  expect(await isLeastLoaded(busy)).toBe(false);
  expect(await isLeastLoaded(busy, 'eu')).toBe(true);
  await newProcess();
  expect(await isLeastLoaded(busy, 'eu')).toBe(false);
  expect(await isLeastLoaded(far, 'us')).toBe(true);
});

test('a match moves inside its region only', async () => {
  const [leaving, _far, _nowhere] = [
    await newProcess({ region: 'eu' }),
    await newProcess({ region: 'us' }),
    await newProcess(),
  ];
  expect(await chooseSuccessor(leaving)).toBeUndefined();
  const near = await newProcess({ region: 'eu' });
  expect(await chooseSuccessor(leaving)).toMatchObject({ id: near.processId });
});

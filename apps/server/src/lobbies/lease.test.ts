import { randomUUID } from 'node:crypto';
import { type LobbyId, lobbyId } from '@engulf/domain/ids/entity-ids';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import type { Context } from '../platform/context.ts';
import { lobbies } from '../platform/database/games.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { startHeartbeat } from '../platform/game-processes.ts';
import { openTestDatabase } from '../testing/test-database.ts';
import { releaseLease, takeLease } from './lease.ts';

let database: OpenDatabase;
let lobby: LobbyId;
let nowMs = 1_800_000_000_000;

beforeAll(async () => {
  database = await openTestDatabase();
});
beforeEach(async () => {
  lobby = lobbyId(randomUUID());
  await database.db.insert(lobbies).values({
    id: lobby,
    name: lobby,
    lobbyType: 'free',
    tokenSymbol: 'USD',
    tokenDecimals: 6,
    entryFee: 0n,
    maxPlayers: 10,
    sortOrder: 0,
  });
});
afterAll(() => database.close());

/** A process with a heartbeat that has just been seen. */
async function newProcess() {
  const context = {
    db: database.db,
    logger: pino({ level: 'silent' }),
    processId: randomUUID(),
    nowMs: () => nowMs,
  } as Context;
  return { context, heartbeat: await startHeartbeat(context) };
}

test('a lobby is leased to one of two processes that ask at once, and to the other once it is released', async () => {
  const [first, second] = [await newProcess(), await newProcess()];
  const taken = await Promise.all([takeLease(first.context, lobby), takeLease(second.context, lobby)]);
  expect([...taken].sort()).toEqual([false, true]);
  const [holder, other] = taken[0] ? [first, second] : [second, first];
  expect(await takeLease(holder.context, lobby)).toBe(true);
  await releaseLease(other.context, lobby);
  expect(await takeLease(other.context, lobby)).toBe(false);
  await releaseLease(holder.context, lobby);
  expect(await takeLease(other.context, lobby)).toBe(true);
  await Promise.all([first.heartbeat.stop(), second.heartbeat.stop()]);
});

test('the lease of a process that fell silent can be taken, and is lost to it', async () => {
  const silent = await newProcess();
  expect(await takeLease(silent.context, lobby)).toBe(true);
  nowMs += 21_000;
  const next = await newProcess();
  expect(await takeLease(next.context, lobby)).toBe(true);
  expect(await takeLease(silent.context, lobby)).toBe(false);
  await Promise.all([silent.heartbeat.stop(), next.heartbeat.stop()]);
});

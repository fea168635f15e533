import fastify, { type FastifyInstance } from 'fastify';
import { pino } from 'pino';
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { soon } from '../../../testing/soon.ts';
import { openTestDatabase } from '../../../testing/test-database.ts';
import type { Context } from '../../platform/context.ts';
import { gameProcesses } from '../../platform/database/games.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { canTakeLobbies, markDraining, startHeartbeat } from '../../platform/fleet/game-processes.ts';
import { registerHealth } from './health.ts';

let database: OpenDatabase;
let context: Context;
let app: FastifyInstance;
let game: FastifyInstance;
let nowMs = 0;
const slot = vi.fn<() => Promise<bigint>>();

beforeAll(async () => {
  database = await openTestDatabase();
  const rpc = { getSlot: () => ({ send: () => slot() }) };
  const { db } = database;
  const logger = pino({ level: 'silent' });
  context = { db, chain: { rpc }, logger, processId: 'ours', nowMs: () => nowMs } as unknown as Context;
  app = fastify();
  registerHealth(app, context);
  game = fastify();
  registerHealth(game, context, { canTakeLobbies: () => canTakeLobbies(context) });
});
beforeEach(() => {
  nowMs += 10_000;
  slot.mockReset().mockResolvedValue(5n);
});
afterAll(async () => {
  await app.close();
  await game.close();
  await database.close();
});

async function ready(of = app) {
  const answer = await of.inject({ url: '/readyz' });
  const { parts, paused } = JSON.parse(answer.body);
  return { status: answer.statusCode, parts, ...(paused.length > 0 && { paused }) };
}

test('a process that runs says so, whatever is behind it', async () => {
  slot.mockRejectedValue(new Error('no node'));
  expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
});

test('it is ready while database and chain answer', async () => {
  expect(await ready()).toEqual({ status: 200, parts: { database: true, chain: true } });
});

const WITHOUT_CHAIN = {
  status: 200,
  parts: { database: true, chain: false },
  paused: ['payments', 'payouts'],
};

test('it stays ready while the node fails, and names what waits for it', async () => {
  slot.mockRejectedValue(new Error('no node'));
  expect(await ready()).toEqual(WITHOUT_CHAIN);
});

test('it stays ready while the node does not answer in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  slot.mockReturnValue(new Promise(() => {}));
  const answer = ready();
  await soon(() => expect(slot).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(2_100);
  vi.useRealTimers();
  expect(await answer).toEqual(WITHOUT_CHAIN);
});

test('it is not ready while the database fails', async () => {
  const lost = fastify();
  const db = { execute: () => Promise.reject(new Error('no database')) } as unknown as Context['db'];
  registerHealth(lost, { ...context, db });
  expect(await ready(lost)).toEqual({ status: 503, parts: { database: false, chain: true } });
  await lost.close();
});

test('it stays ready while the process that signs payouts is away, and names what waits for it', async () => {
  const keys = vi.fn<() => Promise<unknown>>().mockResolvedValue([]);
  const worker = fastify();
  registerHealth(worker, context, { signer: { keys } });
  const parts = { database: true, chain: true };
  expect(await ready(worker)).toEqual({ status: 200, parts: { ...parts, signer: true } });
  nowMs += 10_000;
  keys.mockRejectedValue(new Error('no signer'));
  expect(await ready(worker)).toEqual({
    status: 200,
    parts: { ...parts, signer: false },
    paused: ['payouts'],
  });
  await worker.close();
});

test('strangers who ask often do not make it ask more often', async () => {
  for (let nth = 0; nth < 20; nth++) await ready();
  expect(slot).toHaveBeenCalledTimes(1);
});

describe('a process with rooms', () => {
  const SELF = { address: null, version: 'test', isAlone: false };
  const parts = { database: true, chain: true };

  async function readyLater() {
    nowMs += 10_000;
    return ready(game);
  }

  test('is ready from its first heartbeat until it leaves', async () => {
    expect(await readyLater()).toEqual({ status: 503, parts: { ...parts, lobbies: false } });
    const heartbeat = await startHeartbeat(context, SELF);
    expect(await readyLater()).toEqual({ status: 200, parts: { ...parts, lobbies: true } });
    await markDraining(context);
    expect(await readyLater()).toEqual({ status: 503, parts: { ...parts, lobbies: false } });
    await heartbeat.stop();
    expect(await readyLater()).toMatchObject({ status: 503 });
  });

  test('is not ready once the others took it for dead', async () => {
    const heartbeat = await startHeartbeat(context, SELF);
    expect(await readyLater()).toMatchObject({ status: 200 });
    await context.db.delete(gameProcesses);
    expect(await readyLater()).toMatchObject({ status: 503, parts: { lobbies: false } });
    await heartbeat.stop();
  });
});

import fastify, { type FastifyInstance } from 'fastify';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import type { Context } from '../../platform/context.ts';
import type { OpenDatabase } from '../../platform/database/open-database.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { registerHealth } from './health.ts';

let database: OpenDatabase;
let app: FastifyInstance;
let nowMs = 0;
const slot = vi.fn<() => Promise<bigint>>();

beforeAll(async () => {
  database = await openTestDatabase();
  const rpc = { getSlot: () => ({ send: () => slot() }) };
  app = fastify();
  registerHealth(app, { db: database.db, chain: { rpc }, nowMs: () => nowMs } as unknown as Context);
});
beforeEach(() => {
  nowMs += 10_000;
  slot.mockReset().mockResolvedValue(5n);
});
afterAll(async () => {
  await app.close();
  await database.close();
});

async function ready() {
  const answer = await app.inject({ url: '/readyz' });
  return { status: answer.statusCode, parts: JSON.parse(answer.body).parts };
}

test('a process that runs says so, whatever is behind it', async () => {
  slot.mockRejectedValue(new Error('no node'));
  expect((await app.inject({ url: '/healthz' })).statusCode).toBe(200);
});

test('it is ready while database and chain answer', async () => {
  expect(await ready()).toEqual({ status: 200, parts: { database: true, chain: true } });
});

test('it is not ready while the node fails, and names it', async () => {
  slot.mockRejectedValue(new Error('no node'));
  expect(await ready()).toEqual({ status: 503, parts: { database: true, chain: false } });
});

test('it is not ready while the node does not answer in time', async () => {
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout'] });
  slot.mockReturnValue(new Promise(() => {}));
  const answer = ready();
  await vi.waitFor(() => expect(slot).toHaveBeenCalled());
  await vi.advanceTimersByTimeAsync(2_100);
  vi.useRealTimers();
  expect(await answer).toMatchObject({ status: 503, parts: { chain: false } });
});

test('strangers who ask often do not make it ask more often', async () => {
  for (let nth = 0; nth < 20; nth++) await ready();
  expect(slot).toHaveBeenCalledTimes(1);
});

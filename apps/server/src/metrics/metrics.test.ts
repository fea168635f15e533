import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { transactionSignature, walletAddress } from '@engulf/domain/ids/entity-ids';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { newPaidLobby } from '../../testing/new-lobby.ts';
import { randomBase58 } from '../../testing/random-base58.ts';
import { readMetrics } from '../../testing/read-metrics.ts';
import { openTestDatabase } from '../../testing/test-database.ts';
import { createRemoteSigner } from '../money/signer/remote-signer.ts';
import { createSignerServer } from '../money/signer/signer-server.ts';
import type { Context } from '../platform/context.ts';
import { payments } from '../platform/database/games.ts';
import { payouts } from '../platform/database/money.ts';
import type { OpenDatabase } from '../platform/database/open-database.ts';
import { measureBooks } from './measure-books.ts';
import { measureArchive, measureSigner } from './measure-safety.ts';
import { createMetrics, measurePool } from './metrics.ts';

const START_MS = Date.parse('2026-03-01T00:00:00Z');
let database: OpenDatabase;
let nowMs = START_MS;

beforeAll(async () => {
  database = await openTestDatabase();
});
afterAll(() => database.close());

const newMetrics = () => createMetrics(['worker'], () => nowMs);

test('payouts and payments that wait are counted, and those that a person holds up are not late', async () => {
  const { db } = database;
  const { id: lobby } = await newPaidLobby(db);
  const payment = async (createdAt: Date, status: 'verifying' | 'verified') => {
    const id = randomUUID();
    const wallet = walletAddress(randomBase58(32));
    const signature = transactionSignature(randomBase58(64));
    await db.insert(payments).values({ id, lobbyId: lobby, wallet, signature, status, createdAt });
    return { paymentId: id, lobbyId: lobby, wallet, amount: 5n, isRefund: true, createdAt };
  };
  const minutesAgo = (minutes: number) => new Date(START_MS - minutes * 60_000);
  const metrics = newMetrics();
  const signer = { lamports: 10_000n, claimsLeft: 2 };
  measureBooks(metrics, { db, nowMs: () => nowMs } as Context, () => signer);
  const value = async (name: string, labels = {}) =>
    readMetrics(await metrics.registry.metrics()).value(name, labels);
  expect(await value('engulf_oldest_payout_age_seconds')).toBe(0);

  const rows = [
    { ...(await payment(minutesAgo(9), 'verified')), status: 'pending' as const, heldAt: minutesAgo(8) },
    { ...(await payment(minutesAgo(5), 'verified')), status: 'pending' as const },
    { ...(await payment(minutesAgo(4), 'verified')), status: 'processing' as const },
    { ...(await payment(minutesAgo(60), 'verified')), status: 'completed' as const },
  ];
  await db.insert(payouts).values(rows.map((row) => ({ ...row, id: randomUUID() })));
  await payment(minutesAgo(3), 'verifying');
  // However many ask, the tables are read every five seconds.
  expect(await value('engulf_oldest_payout_age_seconds')).toBe(0);
  nowMs += 6_000;
  expect(await value('engulf_oldest_payout_age_seconds')).toBe(306);
  expect(await value('engulf_oldest_verification_age_seconds')).toBe(186);
  for (const state of ['pending', 'processing', 'held']) {
    expect(await value('engulf_payouts_open', { state }), state).toBe(1);
  }
  expect(await value('engulf_signer_claims_left')).toBe(2);
});

test('while the database does not answer, the rest can be read and nothing is taken for zero', async () => {
  const metrics = newMetrics();
  const select = () => {
    throw new Error('gone');
  };
  measureBooks(metrics, { db: { select }, nowMs: () => nowMs } as unknown as Context, () => undefined);
  metrics.work.ran('pay-lobby', 20, true);
  const { names, value } = readMetrics(await metrics.registry.metrics());
  expect(value('engulf_task_runs_total', { task: 'pay-lobby', result: 'failed' })).toBe(1);
  for (const name of ['engulf_oldest_payout_age_seconds', 'engulf_lobby_covered', 'engulf_signer_lamports']) {
    expect(names).not.toContain(name);
  }
  expect(
    readMetrics(await metrics.registry.metrics()).value('engulf_books_read_failures_total'),
  ).toBeGreaterThan(0);
});

test('a room that has gone silent is not shown any more', async () => {
  const metrics = newMetrics();
  const people = async () =>
    readMetrics(await metrics.registry.metrics()).value('engulf_room_people', {
      lobby: 'Deep',
      kind: 'bots',
    });
  metrics.game.room('Deep', { players: 1, spectators: 2, bots: 3 });
  expect(await people()).toBe(3);
  nowMs += 6_000;
  expect(await people()).toBeUndefined();
});

test('what clients send does not make series', async () => {
  const metrics = newMetrics();
  for (let nth = 0; nth < 50; nth++) {
    metrics.answered({ method: `M${nth}`, route: 'none', status: 404, code: 'NOT_FOUND', tookMs: 1 });
  }
  const { value } = readMetrics(await metrics.registry.metrics());
  expect(value('engulf_http_requests_total', { method: 'other', route: 'none' })).toBe(50);
});

test('a pool of connections is shown as it is', async () => {
  const metrics = newMetrics();
  measurePool(metrics, { totalCount: 5, idleCount: 2, waitingCount: 7 });
  const { value } = readMetrics(await metrics.registry.metrics());
  expect(value('engulf_database_connections', { state: 'used' })).toBe(3);
  expect(value('engulf_database_connections', { state: 'waiting' })).toBe(7);
});

test('the worker says whether the signer answers, and how old the archive of the database is', async () => {
  const metrics = newMetrics();
  const signs = { keys: async () => ({}), sign: () => Promise.reject(new Error('Nobody asks')) };
  const signer = createSignerServer(signs, 'a secret', pino({ level: 'silent' })).listen(0, '127.0.0.1');
  await once(signer, 'listening');
  const url = new URL(`http://127.0.0.1:${(signer.address() as AddressInfo).port}`);
  measureSigner(metrics, createRemoteSigner(url, 'a secret'));
  const strange = newMetrics();
  measureSigner(strange, createRemoteSigner(url, 'another secret'));
  expect(readMetrics(await strange.registry.metrics()).value('engulf_signer_up', {})).toBe(0);
  const archived = new Date(START_MS - 60_000).toISOString();
  const counted = new Date(START_MS - 240_000).toISOString();
  let row = { mode: 'on', archived: archived as string | null, failed: null as string | null, counted };
  const db = { execute: async () => ({ rows: [row] }) } as unknown as Context['db'];
  measureArchive(metrics, { db, nowMs: () => START_MS });
  const frozen = newMetrics();
  measureSigner(frozen, { keys: () => new Promise(() => undefined) });
  expect(readMetrics(await frozen.registry.metrics()).value('engulf_signer_up', {})).toBe(0);
  const value = async (name: string) => readMetrics(await metrics.registry.metrics()).value(name, {});
  expect(await value('engulf_signer_up')).toBe(1);
  expect(await value('engulf_wal_archive_age_seconds')).toBe(60);
  // After a crash.
  row = { ...row, archived: null };
  expect(await value('engulf_wal_archive_age_seconds')).toBe(240);
  row = { ...row, mode: 'off' };
  expect(await metrics.registry.metrics()).toMatch(/engulf_wal_archive_age_seconds\{[^}]*\} \+Inf/);
  signer.closeAllConnections();
  signer.close();
  await once(signer, 'close');
  expect(await value('engulf_signer_up')).toBe(0);
});

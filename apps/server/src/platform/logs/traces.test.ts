import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { entryId } from '@engulf/domain/ids/entity-ids';
import { pino } from 'pino';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { soon } from '../../../testing/soon.ts';
import { startTraceCollector, type TraceCollector } from '../../../testing/trace-collector.ts';
import { readConfig } from '../config/config.ts';
import { openLog } from './log.ts';
import { openTraces } from './traces.ts';

const loaded = vi.hoisted(() => ({ times: 0 }));
vi.mock('./trace-sender.ts', (original) => {
  loaded.times++;
  return original();
});

const logger = pino({ level: 'silent' });
const ENTRY = entryId(randomUUID());
const TRACE = ENTRY.replaceAll('-', '');
let collector: TraceCollector;

beforeAll(async () => {
  collector = await startTraceCollector();
});
afterAll(() => collector.close());

const configured = (more: Record<string, string> = {}) =>
  readConfig({ OTEL_EXPORTER_OTLP_ENDPOINT: collector.url, ...more });

function open(processId: string, nowMs: () => number = Date.now, more?: Record<string, string>) {
  return openTraces(configured(more).traces, { logger, processId, nowMs }).then((traces) => traces!);
}

test('without a collector there are no traces, and their code is not loaded', async () => {
  expect(await openTraces(readConfig({}).traces, { logger, processId: 'one', nowMs: Date.now })).toBe(
    undefined,
  );
  expect(loaded.times).toBe(0);
  await (await open('one')).close();
  expect(loaded.times).toBe(1);
});

test('steps of two processes are one trace, named by the entry, in which the first is the parent', async () => {
  const headers = { OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Bearer%20abc, x-team=games' };
  const api = await open('api', () => 1_100, { ...headers, ENGULF_ROLES: 'api' });
  const worker = await open('worker', () => 1_500, { ENGULF_ROLES: 'worker' });
  // The later step arrives first, and its beginning is by a clock that is ahead.
  worker.step(ENTRY, 'verify payment', 9_999, { outcome: 'refused', stake: 5n }, { isFailure: true });
  await worker.close();
  api.step(ENTRY, 'join lobby', 1_000, { lobbyId: 'a lobby', isFree: false, matchId: null });
  await api.close();
  const [first, second] = collector.spansOf(TRACE);
  expect(first).toMatchObject({
    name: 'join lobby',
    startMs: 1_000,
    endMs: 1_100,
    isFailure: false,
    facts: { lobbyId: 'a lobby', isFree: false },
    resource: { 'service.name': 'engulf', 'service.instance.id': 'api', 'engulf.roles': 'api' },
  });
  expect(first!.parentSpanId).toBeUndefined();
  expect(first!.facts).not.toHaveProperty('matchId');
  expect(second).toMatchObject({
    name: 'verify payment',
    parentSpanId: first!.spanId,
    startMs: 1_500,
    endMs: 1_500,
    isFailure: true,
    facts: { stake: '5' },
    resource: { 'service.instance.id': 'worker' },
  });
  expect(collector.requests.at(-1)).toMatchObject({
    path: '/v1/traces',
    headers: { authorization: 'Bearer abc', 'x-team': 'games' },
  });
});

test('steps wait for a collector that is away, which is said once', async () => {
  const warn = vi.fn();
  const loud = { ...logger, warn, info: vi.fn() } as unknown as typeof logger;
  const traces = (await openTraces(configured().traces, {
    logger: loud,
    processId: 'one',
    nowMs: Date.now,
  }))!;
  const entry = entryId(randomUUID());
  const before = collector.requests.length;
  collector.status = 503;
  traces.step(entry, 'join lobby', Date.now());
  await soon(() => expect(collector.requests.length - before).toBe(2));
  collector.status = 200;
  traces.step(entry, 'issue ticket', Date.now());
  await traces.close();
  expect(collector.spansOf(entry.replaceAll('-', '')).map(({ name }) => name)).toEqual([
    'join lobby',
    'issue ticket',
  ]);
  expect(warn.mock.calls.map(([line]) => line.code)).toEqual(['TRACES_NOT_SENT']);
});

test('lines about entries name the trace, if there are traces', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'engulf-traces-'));
  const write = async (name: string, traces: ReturnType<typeof configured>['traces']) => {
    const logFile = join(folder, name);
    const log = openLog({ logLevel: 'info', logFile, dataDir: folder, traces });
    log.child({ part: 'game' }).info({ entryId: ENTRY }, 'one');
    log.info({ entryIds: [ENTRY] }, 'several');
    log.info('none');
    const lines = () => readFileSync(logFile, 'utf8').trimEnd().split('\n');
    await soon(() => expect(lines()).toHaveLength(3));
    return lines().map((line) => JSON.parse(line));
  };
  const [one, several, none] = await write('on.log', configured().traces);
  expect(one).toMatchObject({ entryId: ENTRY, traceId: TRACE, part: 'game' });
  expect(several).toMatchObject({ traceIds: [TRACE] });
  expect(none).not.toHaveProperty('traceId');
  const [silent] = await write('off.log', undefined);
  expect(silent).not.toHaveProperty('traceId');
  await rm(folder, { recursive: true });
});

test('a header that cannot be read is named at the start', () => {
  expect(() => configured({ OTEL_EXPORTER_OTLP_HEADERS: 'nonsense' })).toThrow(/OTEL_EXPORTER_OTLP_HEADERS/);
});

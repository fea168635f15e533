import { Counter, collectDefaultMetrics, Gauge, Histogram, Registry } from 'prom-client';
import type { WorkMeter } from '../platform/scheduler.ts';
import { createGameMeter, type MeasuredGame } from './game-meter.ts';

/*
 * What operators measure. Labels are codes, routes, tasks and names of lobbies, which are few and written by us; never an
 * address, a wallet, a secret or anything that a client sends.
 */

/** An HTTP request that was answered. */
export type Answered = {
  readonly method: string;
  /** The pattern of the route, so that ids in paths make no series. */
  readonly route: string;
  readonly status: number;
  /** Why it was refused, by the error registry. */
  readonly code: string | undefined;
  readonly tookMs: number;
};

export type Metrics = {
  readonly registry: Registry;
  readonly game: MeasuredGame;
  readonly work: WorkMeter;
  answered(answer: Answered): void;
  /** The outcome of a batch of payouts is final. */
  batchDecided(fate: string): void;
};

/** Connections to the database, in use or not, and how many queries wait for one. */
export type PoolCounts = {
  readonly totalCount: number;
  readonly idleCount: number;
  readonly waitingCount: number;
};

const KNOWN_METHODS = new Set(['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE', 'OPTIONS']);

export function createMetrics(roles: Iterable<string>, nowMs: () => number): Metrics {
  const registry = new Registry();
  registry.setDefaultLabels({ roles: [...roles].toSorted().join('+') });
  const registers = [registry];
  const requests = new Counter({
    name: 'engulf_http_requests_total',
    help: 'Answered HTTP requests',
    labelNames: ['method', 'route', 'status'],
    registers,
  });
  const requestSeconds = new Histogram({
    name: 'engulf_http_request_seconds',
    help: 'Time to answer an HTTP request',
    labelNames: ['route'],
    buckets: [0.005, 0.02, 0.1, 0.5, 2, 10],
    registers,
  });
  const refused = new Counter({
    name: 'engulf_refused_total',
    help: 'Requests, joins, sockets and messages that were refused, by code',
    labelNames: ['what', 'code'],
    registers,
  });
  const runs = new Counter({
    name: 'engulf_task_runs_total',
    help: 'Runs of the worker, by task and result',
    labelNames: ['task', 'result'],
    registers,
  });
  const runSeconds = new Histogram({
    name: 'engulf_task_seconds',
    help: 'Time of one run of a task of the worker',
    labelNames: ['task'],
    buckets: [0.01, 0.1, 0.5, 2, 10, 60],
    registers,
  });
  const batches = new Counter({
    name: 'engulf_payout_batches_total',
    help: 'Batches of payouts that reached their fate',
    labelNames: ['fate'],
    registers,
  });
  return {
    registry,
    game: createGameMeter(registry, { refused, nowMs }),
    work: {
      ran: (task, tookMs, hasFailed) => {
        runs.inc({ task, result: hasFailed ? 'failed' : 'done' });
        runSeconds.observe({ task }, tookMs / 1000);
      },
    },
    answered: ({ method, route, status, code, tookMs }) => {
      requests.inc({ method: KNOWN_METHODS.has(method) ? method : 'other', route, status });
      requestSeconds.observe({ route }, tookMs / 1000);
      if (code !== undefined) refused.inc({ what: 'request', code });
    },
    batchDecided: (fate) => batches.inc({ fate }),
  };
}

/** Memory, processor, garbage collection and the delay of the event loop. Costs a timer, so only where it is read. */
export function measureProcess({ registry }: Metrics): void {
  collectDefaultMetrics({ register: registry });
}

export function measurePool({ registry }: Metrics, pool: PoolCounts): void {
  new Gauge({
    name: 'engulf_database_connections',
    help: 'Connections to PostgreSQL, and queries that wait for one',
    labelNames: ['state'],
    registers: [registry],
    collect() {
      this.set({ state: 'used' }, pool.totalCount - pool.idleCount);
      this.set({ state: 'idle' }, pool.idleCount);
      this.set({ state: 'waiting' }, pool.waitingCount);
    },
  });
}

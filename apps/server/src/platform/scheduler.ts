import type { Logger } from 'pino';
import type { Activity } from './activity.ts';

/**
 * Work that is found in our own tables. A crash loses nothing, because the next poll finds it again. `run` must be safe
 * to repeat and to interrupt at any line.
 */
export type Task = {
  readonly name: string;
  /** The least time between two runs of one key. */
  readonly everyMs: number;
  /** The keys that have work now. */
  due(): Promise<readonly string[]>;
  run(key: string): Promise<unknown>;
};

/** Counts runs, for the metrics. */
export type WorkMeter = { ran(task: string, tookMs: number, hasFailed: boolean): void };

export type Scheduler = {
  /** Resolves when what was running has ended. */
  stop(): Promise<void>;
};

const MIN_LOOK_MS = 500;
const MAX_LOOK_MS = 5_000;
/**
 * When the process is idle: nobody connected and nothing due for a while. A player who has just left may still get a
 * payout, and one task often makes work for the next.
 */
const IDLE_LOOK_MS = 120_000;
const IDLE_AFTER_MS = 60_000;
/** Tasks this rare run by the clock; they do not mean that more work follows. */
const ROUTINE_FROM_MS = 10_000;
/** Runs of one task side by side. */
const MAX_PARALLEL = 16;
const MAX_BACKOFF_MS = 10_000;

/**
 * Looks for due work up to twice a second. A key runs once at a time, and keys do not wait for each other: a lobby
 * whose node hangs does not hold up the payouts of the rest. A key that fails is retried with a growing delay. With
 * `activity`, it looks less often while nobody is there who could make work.
 */
export function startScheduler(
  tasks: readonly Task[],
  logger: Logger,
  {
    activity,
    meter,
  }: {
    readonly activity?: Pick<Activity, 'isQuiet' | 'onBusy'> | undefined;
    readonly meter?: WorkMeter | undefined;
  } = {},
): Scheduler {
  const stopped = new AbortController();
  const waiting = new Set<() => void>();
  const wakeAll = () => {
    for (const endWait of [...waiting]) endWait();
  };
  activity?.onBusy(wakeAll);
  let workedMs = performance.now();
  const isIdle = () => activity?.isQuiet() === true && performance.now() - workedMs > IDLE_AFTER_MS;
  const pace: Pace = {
    stopped: stopped.signal,
    isIdle,
    onWork: () => {
      const wasIdle = isIdle();
      workedMs = performance.now();
      if (wasIdle) wakeAll();
    },
    pause: (ms) => waitFor(ms, stopped.signal, waiting),
  };
  const loops = tasks.map((task) => runTask(measured(task, meter), logger, pace));
  return {
    stop: async () => {
      stopped.abort();
      await Promise.all(loops);
    },
  };
}

type KeyState = { notBeforeMs: number; failures: number; running: Promise<void> | undefined };

type Pace = {
  readonly stopped: AbortSignal;
  isIdle(): boolean;
  onWork(): void;
  pause(ms: number): Promise<void>;
};

function measured(task: Task, meter: WorkMeter | undefined): Task {
  if (!meter) return task;
  const run = async (key: string): Promise<void> => {
    const startedMs = performance.now();
    let hasFailed = true;
    try {
      await task.run(key);
      hasFailed = false;
    } finally {
      meter.ran(task.name, performance.now() - startedMs, hasFailed);
    }
  };
  return { ...task, run };
}

async function runTask(task: Task, logger: Logger, pace: Pace): Promise<void> {
  const { stopped, pause } = pace;
  const keys = new Map<string, KeyState>();
  const lookEveryMs = Math.min(MAX_LOOK_MS, Math.max(MIN_LOOK_MS, task.everyMs / 2));
  while (!stopped.aborted) {
    try {
      const due = new Set(await task.due());
      for (const [key, state] of keys) if (!due.has(key) && !state.running) keys.delete(key);
      // Who has waited longest comes first: with more keys than run side by side, the last ones would never have a turn.
      const turnOf = (key: string) => keys.get(key)?.notBeforeMs ?? 0;
      for (const key of [...due].sort((a, b) => turnOf(a) - turnOf(b))) startIfReady(task, key, keys, logger);
      if (due.size > 0 && task.everyMs < ROUTINE_FROM_MS) pace.onWork();
    } catch (error) {
      logger.error({ code: 'WORK_NOT_READ', err: error, task: task.name }, 'the due work could not be read');
    }
    await pause(pace.isIdle() ? Math.max(IDLE_LOOK_MS, lookEveryMs) : lookEveryMs);
  }
  await Promise.all([...keys.values()].map(({ running }) => running));
}

function startIfReady(task: Task, key: string, keys: Map<string, KeyState>, logger: Logger): void {
  const state = keys.get(key) ?? { notBeforeMs: 0, failures: 0, running: undefined };
  keys.set(key, state);
  const isBusy = [...keys.values()].filter(({ running }) => running).length >= MAX_PARALLEL;
  if (state.running || isBusy || performance.now() < state.notBeforeMs) return;
  state.notBeforeMs = performance.now() + task.everyMs;
  state.running = runOnce(task, key, state, logger).finally(() => {
    state.running = undefined;
  });
}

async function runOnce(task: Task, key: string, state: KeyState, logger: Logger): Promise<void> {
  try {
    await task.run(key);
    state.failures = 0;
  } catch (error) {
    const backoffMs = Math.min(task.everyMs * 2 ** state.failures++, MAX_BACKOFF_MS);
    state.notBeforeMs = performance.now() + backoffMs;
    logger.error({ code: 'WORK_FAILED', err: error, task: task.name, key, backoffMs }, 'work failed');
  }
}

/** Resolves early when stopped, or when `waiting` is ended. */
function waitFor(ms: number, stopped: AbortSignal, waiting: Set<() => void>): Promise<void> {
  return new Promise((resolve) => {
    const end = () => {
      clearTimeout(timer);
      stopped.removeEventListener('abort', end);
      waiting.delete(end);
      resolve();
    };
    const timer = setTimeout(end, ms);
    stopped.addEventListener('abort', end);
    waiting.add(end);
  });
}

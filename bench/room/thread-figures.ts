import { readFileSync } from 'node:fs';
import { monitorEventLoopDelay, PerformanceObserver, performance } from 'node:perf_hooks';

/** What the thread that runs the rooms did while it was measured. */
export type ThreadFigures = {
  readonly seconds: number;
  /** CPU of this thread alone in one tick's time, whatever it was spent on. V8's helper threads are not in it. */
  readonly tickCpuMsMean: number;
  readonly tickCpuMsP99: number;
  /** The same for all threads of the process. */
  readonly processTickCpuMsMean: number;
  /** How much of the time the thread was ready to run but had no core. Undefined where the system does not tell. */
  readonly runDelayShare: number | undefined;
  /** How much of the cores' time other virtual machines took. Undefined where the system does not tell. */
  readonly stolenShare: number | undefined;
  /** How much of the time the event loop was not waiting. */
  readonly loopBusyShare: number;
  readonly loopDelayMsP99: number;
  readonly loopDelayMsMax: number;
  readonly longestGcMs: number;
};

const NS_PER_MS = 1e6;

/** Calls back after every tick, or when every room has ticked once more, until the returned function is called. */
export type FollowTicks = (onTick: () => void) => () => void;

/** Takes the CPU time from the end of each tick to that of the next: what came in and went out meanwhile, and a tick. */
export function startMeasuringThread(tickMs: number, followTicks: FollowTicks): () => ThreadFigures {
  const startedMs = performance.now();
  const delayBefore = readThread().waitedMs;
  const coresBefore = readCores();
  const loopBefore = performance.eventLoopUtilization();
  const processBefore = process.cpuUsage();
  const loopDelay = monitorEventLoopDelay({ resolution: 2 });
  loopDelay.enable();
  let longestGcMs = 0;
  const gc = new PerformanceObserver((list) => {
    for (const { duration } of list.getEntries()) longestGcMs = Math.max(longestGcMs, duration);
  });
  gc.observe({ entryTypes: ['gc'] });
  const cpuMs: number[] = [];
  let lastRanMs = readThread().ranMs;
  const unfollow = followTicks(() => {
    const { ranMs } = readThread();
    cpuMs.push(ranMs - lastRanMs);
    lastRanMs = ranMs;
  });
  return () => {
    unfollow();
    loopDelay.disable();
    gc.disconnect();
    const elapsedMs = performance.now() - startedMs;
    const processUsed = process.cpuUsage(processBefore);
    const delayAfter = readThread().waitedMs;
    cpuMs.sort((a, b) => a - b);
    return {
      seconds: elapsedMs / 1000,
      tickCpuMsMean: cpuMs.reduce((sum, ms) => sum + ms, 0) / cpuMs.length,
      tickCpuMsP99: cpuMs[Math.floor(cpuMs.length * 0.99)]!,
      processTickCpuMsMean: ((processUsed.user + processUsed.system) / 1000) * (tickMs / elapsedMs),
      runDelayShare:
        delayBefore === undefined || delayAfter === undefined
          ? undefined
          : (delayAfter - delayBefore) / elapsedMs,
      stolenShare: stolenShareSince(coresBefore),
      loopBusyShare: performance.eventLoopUtilization(loopBefore).utilization,
      loopDelayMsP99: loopDelay.percentile(99) / NS_PER_MS,
      loopDelayMsMax: loopDelay.max / NS_PER_MS,
      longestGcMs,
    };
  };
}

/** The worst of each figure, as several threads run rooms; what their processes used is added up. */
export function busiestOf(threads: readonly ThreadFigures[]): ThreadFigures {
  const most = (figure: (thread: ThreadFigures) => number) => Math.max(...threads.map(figure));
  const delays = threads.flatMap(({ runDelayShare }) => runDelayShare ?? []);
  return {
    seconds: most(({ seconds }) => seconds),
    tickCpuMsMean: most(({ tickCpuMsMean }) => tickCpuMsMean),
    tickCpuMsP99: most(({ tickCpuMsP99 }) => tickCpuMsP99),
    processTickCpuMsMean: threads.reduce((sum, thread) => sum + thread.processTickCpuMsMean, 0),
    runDelayShare: delays.length > 0 ? Math.max(...delays) : undefined,
    stolenShare: threads[0]!.stolenShare,
    loopBusyShare: most(({ loopBusyShare }) => loopBusyShare),
    loopDelayMsP99: most(({ loopDelayMsP99 }) => loopDelayMsP99),
    loopDelayMsMax: most(({ loopDelayMsMax }) => loopDelayMsMax),
    longestGcMs: most(({ longestGcMs }) => longestGcMs),
  };
}

/**
 * How long the thread ran, and waited for a core. The scheduler counts nanoseconds; elsewhere time comes in steps of
 * some milliseconds. The main thread has the id of the process.
 */
function readThread(): { ranMs: number; waitedMs: number | undefined } {
  try {
    const text = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
    const [ranNs, waitedNs] = text.split(' ').map(Number);
    return { ranMs: ranNs! / NS_PER_MS, waitedMs: waitedNs! / NS_PER_MS };
  } catch {
    const { user, system } = process.threadCpuUsage();
    return { ranMs: (user + system) / 1000, waitedMs: undefined };
  }
}

/** The time of all cores so far, and what was stolen of it. */
function readCores(): { readonly total: number; readonly stolen: number } | undefined {
  try {
    const [, text] = /^cpu +(.*)/.exec(readFileSync('/proc/stat', 'utf8'))!;
    // user, nice, system, idle, iowait, irq, softirq, steal. What follows is part of the first two.
    const times = text!.split(' ').slice(0, 8).map(Number);
    return { total: times.reduce((sum, time) => sum + time), stolen: times[7]! };
  } catch {
    return undefined;
  }
}

function stolenShareSince(before: ReturnType<typeof readCores>): number | undefined {
  const after = readCores();
  return before && after && (after.stolen - before.stolen) / (after.total - before.total);
}

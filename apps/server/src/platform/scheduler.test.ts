import { pino } from 'pino';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { type Scheduler, startScheduler, type Task } from './scheduler.ts';

const logger = pino({ level: 'silent' });
let scheduler: Scheduler | undefined;

beforeEach(() => {
  vi.useFakeTimers();
});
afterEach(async () => {
  const stopped = scheduler?.stop();
  await vi.advanceTimersByTimeAsync(10_000);
  await stopped;
  vi.useRealTimers();
});

/** A task whose due keys and runs a test controls. */
function controlled(changes: Partial<Task> = {}) {
  const due = new Set<string>();
  const runs: string[] = [];
  const task: Task = {
    name: 'task',
    everyMs: 1_000,
    due: async () => [...due],
    run: async (key) => void runs.push(key),
    ...changes,
  };
  return { due, runs, task };
}

const hang = () => new Promise<void>((resolve) => setTimeout(resolve, 5_000));

describe('the scheduler', () => {
  test('runs a key that becomes due within half a second, then at its own pace', async () => {
    const { due, runs, task } = controlled();
    scheduler = startScheduler([task], logger);
    await vi.advanceTimersByTimeAsync(100);
    expect(runs).toEqual([]);
    due.add('a');
    await vi.advanceTimersByTimeAsync(500);
    expect(runs).toEqual(['a']);
    await vi.advanceTimersByTimeAsync(3_000);
    expect(runs.length).toBeGreaterThanOrEqual(3);
    expect(runs.length).toBeLessThanOrEqual(4);
  });

  test('runs a key once at a time and does not let it hold up the others', async () => {
    const started: string[] = [];
    const { due, task } = controlled({
      run: async (key) => {
        started.push(key);
        if (key === 'slow') await hang();
      },
    });
    due.add('slow').add('quick');
    scheduler = startScheduler([task], logger);
    await vi.advanceTimersByTimeAsync(4_000);
    expect(started.filter((key) => key === 'slow')).toHaveLength(1);
    expect(started.filter((key) => key === 'quick').length).toBeGreaterThanOrEqual(4);
  });

  test('lets every key have its turn, although more are due than run side by side', async () => {
    const runs = new Map<string, number>();
    const { due, task } = controlled({
      run: async (key) => {
        runs.set(key, (runs.get(key) ?? 0) + 1);
        await hang();
      },
    });
    for (let nth = 0; nth < 60; nth++) due.add(`lobby ${nth}`);
    scheduler = startScheduler([task], logger);
    await vi.advanceTimersByTimeAsync(60_000);
    expect(runs.size).toBe(60);
    expect(Math.min(...runs.values())).toBeGreaterThanOrEqual(3);
  });

  test('retries a key that fails after a growing delay, and the rest as usual', async () => {
    const attempts: string[] = [];
    const { due, task } = controlled({
      run: async (key) => {
        attempts.push(key);
        if (key === 'broken') throw new Error('no');
      },
    });
    due.add('broken').add('sound');
    scheduler = startScheduler([task], logger);
    await vi.advanceTimersByTimeAsync(15_500);
    expect(attempts.filter((key) => key === 'sound').length).toBeGreaterThanOrEqual(15);
    expect(attempts.filter((key) => key === 'broken')).toHaveLength(5);
  });

  test('continues after a failed poll', async () => {
    const { runs, task } = controlled();
    const lookUp = vi
      .fn<Task['due']>()
      .mockRejectedValueOnce(new Error('no database'))
      .mockResolvedValue(['a']);
    scheduler = startScheduler([{ ...task, due: lookUp }], logger);
    await vi.advanceTimersByTimeAsync(600);
    expect(runs).toEqual(['a']);
  });

  test('polls less often while nobody is connected, but not for work in progress, and at once when somebody connects', async () => {
    const { due, runs, task } = controlled();
    const look = vi.fn(task.due);
    let isQuiet = true;
    let somebodyComes = () => {};
    const activity = {
      isQuiet: () => isQuiet,
      onBusy: (listener: () => void) => {
        somebodyComes = listener;
      },
    };
    scheduler = startScheduler([{ ...task, due: look }], logger, { activity });
    await vi.advanceTimersByTimeAsync(61_000);
    expect(look.mock.calls.length).toBeGreaterThan(100);
    look.mockClear();
    await vi.advanceTimersByTimeAsync(60_000);
    expect(look.mock.calls.length).toBeLessThanOrEqual(3);
    isQuiet = false;
    due.add('a');
    somebodyComes();
    await vi.advanceTimersByTimeAsync(10);
    expect(runs).toEqual(['a']);
    isQuiet = true;
    await vi.advanceTimersByTimeAsync(5_000);
    expect(runs.length).toBeGreaterThanOrEqual(5);
  });

  test('the work of one task wakes the others for what follows from it', async () => {
    const first = controlled();
    const second = controlled();
    const activity = { isQuiet: () => true, onBusy: () => {} };
    const look = vi.fn(second.task.due);
    // Looks at other moments than the first.
    const tasks = [first.task, { ...second.task, name: 'second', everyMs: 9_000, due: look }];
    scheduler = startScheduler(tasks, logger, { activity });
    await vi.advanceTimersByTimeAsync(90_000);
    look.mockClear();
    first.due.add('a');
    while (first.runs.length === 0) await vi.advanceTimersByTimeAsync(100);
    expect(look).toHaveBeenCalledOnce();
    second.due.add('b');
    await vi.advanceTimersByTimeAsync(5_000);
    expect(second.runs).toContain('b');
  });

  test('stops only when running work has ended', async () => {
    let hasEnded = false;
    const { due, task } = controlled({
      run: async () => {
        await hang();
        hasEnded = true;
      },
    });
    due.add('a');
    scheduler = startScheduler([task], logger);
    await vi.advanceTimersByTimeAsync(100);
    const stopped = scheduler.stop().then(() => expect(hasEnded).toBe(true));
    await vi.advanceTimersByTimeAsync(6_000);
    await stopped;
  });
});

import type { SocialTask } from '@engulf/protocol/http/social';
import { expect, test } from 'vitest';
import { pollTasks, taskState } from './task-polling.ts';

const task = (change: Partial<SocialTask> = {}): SocialTask => ({
  _id: 't1',
  taskAction: 'like',
  taskName: 'Like',
  taskDescription: '',
  url: null,
  tweetId: '1',
  tgUrl: null,
  isCompleted: false,
  isQueued: false,
  ...change,
});

/** Runs timers by hand and notes when they were due. */
function manualTimers() {
  const delays: number[] = [];
  let next: (() => void) | undefined;
  return {
    delays,
    setTimer: (delayMs: number, run: () => void) => {
      delays.push(delayMs);
      next = run;
      return () => {
        next = undefined;
      };
    },
    fire: async () => {
      const run = next;
      next = undefined;
      run?.();
      await new Promise((done) => setImmediate(done));
    },
    isWaiting: () => next !== undefined,
  };
}

test('three polls are made, the first five seconds after the task was queued', async () => {
  const timers = manualTimers();
  const ends: boolean[] = [];
  let reads = 0;
  const read = async () => {
    reads++;
    return [task()];
  };
  pollTasks({
    read,
    onEnd: (tasks) => ends.push(tasks?.every(({ isCompleted }) => isCompleted) ?? false),
    setTimer: timers.setTimer,
  });
  for (let nth = 0; nth < 5; nth++) await timers.fire();
  expect(timers.delays).toEqual([5_000, 5_000, 5_000]);
  expect([reads, ends]).toEqual([3, [false]]);
});

test('polling ends early when everything is done, and goes on when the tasks cannot be read', async () => {
  const timers = manualTimers();
  const ends: boolean[] = [];
  const answers = [undefined, [task({ isCompleted: true })]];
  pollTasks({
    read: async () => answers.shift(),
    onEnd: (tasks) => ends.push(tasks?.every(({ isCompleted }) => isCompleted) ?? false),
    setTimer: timers.setTimer,
  });
  await timers.fire();
  expect(ends).toEqual([]);
  await timers.fire();
  expect([ends, timers.isWaiting()]).toEqual([[true], false]);
});

test('polling goes on as long as the server checks a task', async () => {
  const timers = manualTimers();
  const ends: unknown[] = [];
  let isQueued = true;
  pollTasks({
    read: async () => [task({ isQueued })],
    onEnd: (tasks) => ends.push(tasks),
    setTimer: timers.setTimer,
  });
  for (let nth = 0; nth < 6; nth++) await timers.fire();
  expect(ends).toEqual([]);
  isQueued = false;
  await timers.fire();
  expect(ends).toEqual([[task()]]);
});

test('a stopped poll stays silent', async () => {
  const timers = manualTimers();
  const stop = pollTasks({
    read: async () => [],
    onEnd: () => expect.unreachable(),
    setTimer: timers.setTimer,
  });
  stop();
  await timers.fire();
});

test.each([
  [{}, {}, 'idle'],
  [{}, { isPolled: true }, 'verifying'],
  [{ isQueued: true }, {}, 'verifying'],
  [{ isCompleted: true }, { isPolled: true }, 'verified'],
  [{ taskAction: 'connect' }, {}, 'idle'],
  [{ taskAction: 'connect' }, { isXPending: true }, 'pending_user_update'],
  [{ taskAction: 'connect' }, { isXPending: true, isXConnected: true }, 'verified'],
] as const)('a task %j with %j is %s', (change, signs, state) => {
  const none = { isPolled: false, isXConnected: false, isXPending: false };
  expect(taskState(task(change), { ...none, ...signs })).toBe(state);
});

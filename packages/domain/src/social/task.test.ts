import { describe, expect, test } from 'vitest';
import { mayEnterRaffle, TASK_POLLING, type Task, validateTask } from './task.ts';

const bare: Task = { _id: 't1', taskAction: 'connect', url: null, tweetId: null, tgUrl: null };

describe('a task', () => {
  test.each([
    [{ taskAction: 'like' }, 'TASK_TWEET_ID_MISSING'],
    [{ taskAction: 'retweet', url: 'https://x.com/engulf' }, 'TASK_TWEET_ID_MISSING'],
    [{ taskAction: 'join', url: 'https://t.me/engulf' }, 'TASK_GROUP_URL_MISSING'],
    [{ taskAction: 'follow' }, 'TASK_FOLLOW_TARGET_MISSING'],
    [{ taskAction: 'read' }, 'TASK_CONFIGURATION_INVALID'],
    [{ _id: '' }, 'TASK_ID_MISSING'],
  ])('with %j lacks something', (change, code) => {
    expect(validateTask({ ...bare, ...change })).toMatchObject({ ok: false, error: { code } });
  });

  test.each([
    {},
    { taskAction: 'like', tweetId: '1' },
    { taskAction: 'join', tgUrl: 'https://t.me/engulf' },
    { taskAction: 'follow', tweetId: '1' },
    { taskAction: 'follow', url: 'https://x.com/engulf' },
    { taskAction: 'read', url: 'https://engulf.example' },
  ])('with %j is complete', (change) => {
    expect(validateTask({ ...bare, ...change }).ok).toBe(true);
  });

  test('is polled three times, five seconds apart', () => {
    expect(TASK_POLLING).toEqual({ startAfterMs: 5_000, everyMs: 5_000, maxPolls: 3 });
  });
});

test('the raffle needs every task, and the connection among them', () => {
  const connect = { taskAction: 'connect', isCompleted: true };
  expect(mayEnterRaffle([connect, { taskAction: 'like', isCompleted: true }])).toBe(true);
  expect(mayEnterRaffle([connect, { taskAction: 'like', isCompleted: false }])).toBe(false);
  expect(mayEnterRaffle([{ taskAction: 'like', isCompleted: true }])).toBe(false);
  expect(mayEnterRaffle([])).toBe(false);
});

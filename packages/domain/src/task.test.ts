import { describe, expect, it } from 'vitest';
import type { refuse } from './errors/registry.ts';
import { ok } from './errors/result.ts';
import { type Task, validateTask } from './task.ts';

describe('validateTask', () => {
  it.each<Task>([
    { id: 't', action: 'connect' },
    { id: 't', action: 'like', tweetId: '1' },
    { id: 't', action: 'retweet', tweetId: '1' },
    { id: 't', action: 'join', groupUrl: 'https://t.example/g' },
    { id: 't', action: 'follow', url: 'https://x.example/u' },
    { id: 't', action: 'follow', tweetId: '1' },
    { id: 't', action: 'quiz' },
  ])('accepts %j', (task) => {
    expect(validateTask(task)).toEqual(ok(task));
  });

  it.each<[Task, Parameters<typeof refuse>[0]]>([
    [{ id: '', action: 'connect' }, 'TASK_ID_MISSING'],
    [{ id: 't', action: 'like', url: 'u' }, 'TASK_TWEET_ID_MISSING'],
    [{ id: 't', action: 'retweet', tweetId: '' }, 'TASK_TWEET_ID_MISSING'],
    [{ id: 't', action: 'join', url: 'u' }, 'TASK_GROUP_URL_MISSING'],
    [{ id: 't', action: 'follow' }, 'TASK_FOLLOW_TARGET_MISSING'],
  ])('refuses %j', (task, code) => {
    expect(validateTask(task)).toMatchObject({ ok: false, error: { code } });
  });
});

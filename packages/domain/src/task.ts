import { type Failure, refuse } from './errors/registry.ts';
import { ok, type Result } from './errors/result.ts';

export const TASK_ACTIONS = ['connect', 'like', 'retweet', 'join', 'follow'] as const;
export type TaskAction = (typeof TASK_ACTIONS)[number];

export const TASK_POLLING = { startAfterMs: 5_000, everyMs: 5_000, maxPolls: 3 } as const;

export type Task = {
  readonly id: string;
  /** Operators may add others; those need nothing but an id. */
  readonly action: TaskAction | (string & {});
  readonly url?: string | undefined;
  readonly tweetId?: string | undefined;
  readonly groupUrl?: string | undefined;
};

type TaskFailure = Failure<
  'TASK_ID_MISSING' | 'TASK_TWEET_ID_MISSING' | 'TASK_GROUP_URL_MISSING' | 'TASK_FOLLOW_TARGET_MISSING'
>;

/** Whether the task carries what its action opens. */
export function validateTask(task: Task): Result<Task, TaskFailure> {
  if (!task.id) return refuse('TASK_ID_MISSING');
  switch (task.action) {
    case 'like':
    case 'retweet':
      return task.tweetId ? ok(task) : refuse('TASK_TWEET_ID_MISSING');
    case 'join':
      return task.groupUrl ? ok(task) : refuse('TASK_GROUP_URL_MISSING');
    case 'follow':
      return task.url || task.tweetId ? ok(task) : refuse('TASK_FOLLOW_TARGET_MISSING');
    default:
      return ok(task);
  }
}

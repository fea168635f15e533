import { type Failure, refuse } from '../errors/registry.ts';
import { ok, type Result } from '../errors/result.ts';

/** How a page waits for the verification of a task that it has reported as done. */
export const TASK_POLLING = { startAfterMs: 5_000, everyMs: 5_000, maxPolls: 3 } as const;

export type Task = {
  readonly _id: string;
  /** connect, like, retweet, join or follow. Operators may add others, which open their `url`. */
  readonly taskAction: string;
  readonly url: string | null;
  readonly tweetId: string | null;
  readonly tgUrl: string | null;
};

export type TaskFailure = Failure<
  | 'TASK_ID_MISSING'
  | 'TASK_TWEET_ID_MISSING'
  | 'TASK_GROUP_URL_MISSING'
  | 'TASK_FOLLOW_TARGET_MISSING'
  | 'TASK_CONFIGURATION_INVALID'
>;

/** Whether the task carries what its action opens. */
export function validateTask(task: Task): Result<undefined, TaskFailure> {
  if (!task._id) return refuse('TASK_ID_MISSING');
  switch (task.taskAction) {
    case 'connect':
      return ok(undefined);
    case 'like':
    case 'retweet':
      return task.tweetId ? ok(undefined) : refuse('TASK_TWEET_ID_MISSING');
    case 'join':
      return task.tgUrl ? ok(undefined) : refuse('TASK_GROUP_URL_MISSING');
    case 'follow':
      return task.url || task.tweetId ? ok(undefined) : refuse('TASK_FOLLOW_TARGET_MISSING');
    default:
      return task.url ? ok(undefined) : refuse('TASK_CONFIGURATION_INVALID');
  }
}

/** The raffle needs every task done, and a connected X account among them. */
export function mayEnterRaffle(
  tasks: readonly { readonly taskAction: string; readonly isCompleted: boolean }[],
): boolean {
  return tasks.every((task) => task.isCompleted) && tasks.some((task) => task.taskAction === 'connect');
}

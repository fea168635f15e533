import { TASK_POLLING } from '@engulf/domain/social/task';
import type { SocialTask } from '@engulf/protocol/http/social';

export type TaskState = 'idle' | 'verifying' | 'pending_user_update' | 'verified';

/** What a task's button shows. The connect task follows the user's record, which the server may update late. */
export function taskState(
  task: SocialTask,
  { isPolled, isXConnected, isXPending }: { isPolled: boolean; isXConnected: boolean; isXPending: boolean },
): TaskState {
  if (task.taskAction === 'connect') {
    if (isXConnected || task.isCompleted) return 'verified';
    return isXPending ? 'pending_user_update' : 'idle';
  }
  if (task.isCompleted) return 'verified';
  return isPolled || task.isQueued ? 'verifying' : 'idle';
}

type Polling = {
  /** Asks for the tasks; undefined if they could not be read. */
  readonly read: () => Promise<readonly SocialTask[] | undefined>;
  /** With the tasks as they were read last. */
  readonly onEnd: (tasks: readonly SocialTask[] | undefined) => void;
  readonly setTimer: (delayMs: number, run: () => void) => () => void;
};

/**
 * Polls until all tasks are completed: three times, and as long after that as the server checks one. Returns how to stop it.
 */
export function pollTasks({ read, onEnd, setTimer }: Polling): () => void {
  let isStopped = false;
  let cancel = () => {};
  const poll = async (nth: number) => {
    const tasks = await read();
    if (isStopped) return;
    const isChecked = tasks === undefined || tasks.some(({ isQueued }) => isQueued);
    const isLast = nth >= TASK_POLLING.maxPolls && !isChecked;
    if (isLast || tasks?.every(({ isCompleted }) => isCompleted)) onEnd(tasks);
    else cancel = setTimer(TASK_POLLING.everyMs, () => void poll(nth + 1));
  };
  cancel = setTimer(TASK_POLLING.startAfterMs, () => void poll(1));
  return () => {
    isStopped = true;
    cancel();
  };
}

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
  return isPolled ? 'verifying' : 'idle';
}

type Polling = {
  /** Asks for the tasks; undefined if they could not be read. */
  readonly read: () => Promise<readonly SocialTask[] | undefined>;
  readonly onEnd: (isEverythingDone: boolean) => void;
  readonly setTimer: (delayMs: number, run: () => void) => () => void;
};

/** Polls until all tasks are completed, three times at most. Returns how to stop it. */
export function pollTasks({ read, onEnd, setTimer }: Polling): () => void {
  let isStopped = false;
  let cancel = () => {};
  const poll = async (nth: number) => {
    const tasks = await read();
    if (isStopped) return;
    const isEverythingDone = tasks?.every(({ isCompleted }) => isCompleted) === true;
    if (isEverythingDone || nth >= TASK_POLLING.maxPolls) onEnd(isEverythingDone);
    else cancel = setTimer(TASK_POLLING.everyMs, () => void poll(nth + 1));
  };
  cancel = setTimer(TASK_POLLING.startAfterMs, () => void poll(1));
  return () => {
    isStopped = true;
    cancel();
  };
}

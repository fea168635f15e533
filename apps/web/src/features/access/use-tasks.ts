import { describeFailure, ERRORS, failure } from '@engulf/domain/errors/registry';
import { validateTask } from '@engulf/domain/social/task';
import {
  completeTask,
  listOwnTasks,
  listTasks,
  openTask,
  type SocialTask,
  startTwitterLogin,
} from '@engulf/protocol/http/social';
import type { User } from '@engulf/protocol/user';
import { useQuery } from '@tanstack/react-query';
import { useEffect, useRef, useState } from 'react';
import { answerOrThrow, callApi } from '../../shared/api/call-api.ts';
import { TEXT } from '../../shared/text.ts';
import { showToast } from '../../ui/toast.tsx';
import { pollTasks } from './task-polling.ts';

const setTimer = (delayMs: number, run: () => void) => {
  const timer = setTimeout(run, delayMs);
  return () => clearTimeout(timer);
};

/** The social tasks, and doing them. */
export function useTasks(user: User | null) {
  const [polled, setPolled] = useState<ReadonlySet<string>>(new Set());
  const waitedFor = useRef<ReadonlySet<string>>(polled);
  const stopPolling = useRef<(() => void) | undefined>(undefined);
  const {
    data: tasks,
    isError,
    refetch,
  } = useQuery({
    queryKey: ['own', 'tasks', user?.id ?? 'visitor', user?.isTwitterConnected],
    queryFn: async () => answerOrThrow(await callApi(user ? listOwnTasks : listTasks, {})).data,
  });
  useEffect(() => () => stopPolling.current?.(), []);
  useEffect(() => {
    if (isError) showToast('danger', describeFailure(failure('TASKS_LOAD_FAILED')));
  }, [isError]);

  const poll = () => {
    stopPolling.current?.();
    stopPolling.current = pollTasks({
      setTimer,
      read: async () => (await refetch()).data,
      onEnd: (found = []) => {
        const waited = waitedFor.current;
        waitedFor.current = new Set();
        setPolled(waitedFor.current);
        const missing = found.filter(({ _id, isCompleted }) => waited.has(_id) && !isCompleted);
        for (const { taskName } of missing) showToast('danger', TEXT.tasks.notConfirmed(taskName));
        if (found.length === 0 || !found.every(({ isCompleted }) => isCompleted)) return;
        showToast('profit', { title: TEXT.tasks.allDone, text: TEXT.tasks.allDoneText });
      },
    });
  };
  const waitFor = (ids: readonly string[]) => {
    waitedFor.current = new Set([...waitedFor.current, ...ids]);
    setPolled(waitedFor.current);
    poll();
  };
  // Reported before the page was opened.
  const queued =
    tasks?.filter(({ _id, isQueued }) => isQueued && !polled.has(_id)).map(({ _id }) => _id) ?? [];
  // biome-ignore lint/correctness/useExhaustiveDependencies: by the ids alone.
  useEffect(() => {
    if (queued.length > 0) waitFor(queued);
  }, [queued.join()]);

  const start = async (task: SocialTask) => {
    if (!user) return showToast('danger', describeFailure(failure('LOGIN_REQUIRED')));
    const valid = validateTask(task);
    if (!valid.ok) return showToast('danger', describeFailure(valid.error));
    if (task.taskAction === 'connect') return connectX();
    // Opened before anything is awaited, or the browser would block it.
    window.open(`${openTask.path}?${new URLSearchParams({ taskId: task._id })}`, '_blank', 'noopener');
    const queued = await callApi(completeTask, { body: { taskId: task._id } });
    if (!queued.ok) {
      const { title, text } = ERRORS.TASK_COMPLETE_FAILED;
      return showToast('danger', { title, text: queued.error.message || text });
    }
    showToast('info', { title: queued.value.message, text: TEXT.tasks.queuedText });
    waitFor([task._id]);
  };
  return { tasks, isError, polled, start, retry: () => void refetch() };
}

/** Leaves for X, which redirects back here. */
async function connectX(): Promise<void> {
  const answer = await callApi(startTwitterLogin, {});
  if (!answer.ok) {
    const code = answer.error.httpStatus === 429 ? 'SOCIAL_RATE_LIMITED' : 'SOCIAL_NO_AUTHORIZATION_URL';
    return showToast('danger', describeFailure(failure(code)));
  }
  const { url, isTwitterConnected } = answer.value.data.data;
  if (isTwitterConnected) return showToast('info', describeFailure(failure('SOCIAL_ALREADY_CONNECTED')));
  if (url === null) return showToast('danger', describeFailure(failure('SOCIAL_NO_AUTHORIZATION_URL')));
  window.location.assign(url);
}

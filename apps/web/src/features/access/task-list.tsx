import type { SocialTask } from '@engulf/protocol/http/social';
import { Check, Heart, Link as LinkIcon, Repeat2, Send, UserPlus } from 'lucide-react';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Skeleton } from '../../ui/panel.tsx';
import styles from './early-access-panel.module.css';
import { type TaskState, taskState } from './task-polling.ts';

const ICONS: { readonly [action: string]: typeof Check } = {
  follow: UserPlus,
  like: Heart,
  retweet: Repeat2,
  join: Send,
};

type TaskListProps = {
  tasks: readonly SocialTask[] | undefined;
  isError: boolean;
  polled: ReadonlySet<string>;
  isXConnected: boolean;
  isXPending: boolean;
  start: (task: SocialTask) => Promise<void>;
  retry: () => void;
};

export function TaskList({ tasks, isError, polled, isXConnected, isXPending, start, retry }: TaskListProps) {
  const stateOf = (task: SocialTask) =>
    taskState(task, { isPolled: polled.has(task._id), isXConnected, isXPending });
  const done = tasks?.filter((task) => stateOf(task) === 'verified').length ?? 0;
  return (
    <section className={styles.box} aria-label={TEXT.tasks.title}>
      <div className={styles.boxHead}>
        <h3 className={styles.boxTitle}>{TEXT.tasks.title}</h3>
        {tasks && <span className={styles.note}>{TEXT.tasks.done(done, tasks.length)}</span>}
      </div>
      {isError && (
        <Button size="sm" onClick={retry}>
          {TEXT.tryAgain}
        </Button>
      )}
      {!tasks && !isError && <Skeleton className={styles.skeleton} />}
      {tasks?.length === 0 && <p className={styles.note}>{TEXT.tasks.none}</p>}
      <ul className={styles.tasks}>
        {tasks?.map((task) => (
          <TaskRow key={task._id} task={task} state={stateOf(task)} onStart={() => void start(task)} />
        ))}
      </ul>
    </section>
  );
}

type TaskRowProps = { task: SocialTask; state: TaskState; onStart: () => void };

function TaskRow({ task, state, onStart }: TaskRowProps) {
  const Icon = ICONS[task.taskAction] ?? LinkIcon;
  const { actions, states } = TEXT.tasks;
  const action = (actions as Readonly<Record<string, string>>)[task.taskAction] ?? actions.other;
  return (
    <li className={styles.task} data-state={state}>
      <Icon className={styles.taskIcon} size={18} strokeWidth={2.25} />
      <span className={styles.taskName} title={task.taskDescription || undefined}>
        {task.taskName}
      </span>
      {state === 'verified' ? (
        <span className={styles.verified}>
          <Check size={16} strokeWidth={2.5} />
          {states.verified}
        </span>
      ) : (
        <Button
          size="sm"
          className={styles.taskAction}
          isBusy={state !== 'idle'}
          aria-label={state === 'idle' ? `${action}: ${task.taskName}` : undefined}
          onClick={onStart}
        >
          {state === 'idle' ? action : states[state]}
        </Button>
      )}
    </li>
  );
}

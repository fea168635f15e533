import { mayEnterRaffle } from '@engulf/domain/social/task';
import type { User } from '@engulf/protocol/user';
import { Lock } from 'lucide-react';
import { useId } from 'react';
import { TEXT } from '../../shared/text.ts';
import { Button } from '../../ui/button.tsx';
import { Panel } from '../../ui/panel.tsx';
import { TextField } from '../../ui/text-field.tsx';
import styles from './early-access-panel.module.css';
import { RaffleBox } from './raffle-box.tsx';
import { TaskList } from './task-list.tsx';
import { useAccessCode } from './use-access-code.ts';
import type { Raffle } from './use-raffle.ts';
import { useTasks } from './use-tasks.ts';

type EarlyAccessPanelProps = {
  user: User | null;
  raffle: Raffle;
  /** X has sent the browser back, and the user's record does not say so yet. */
  isXPending: boolean;
  onGranted: () => void;
};

/** For those without access: the ways to get it. */
export function EarlyAccessPanel({ user, raffle, isXPending, onGranted }: EarlyAccessPanelProps) {
  const tasks = useTasks(user);
  return (
    <Panel className={styles.panel} aria-label={TEXT.earlyAccess.title}>
      <header className={styles.header}>
        <h2 className={styles.title}>{TEXT.earlyAccess.title}</h2>
        <p className={styles.lead}>{TEXT.earlyAccess.lead}</p>
      </header>
      <div className={styles.boxes}>
        <TaskList {...tasks} isXConnected={user?.isTwitterConnected === true} isXPending={isXPending} />
        <CodeBox isSignedIn={user !== null} onGranted={onGranted} />
        <RaffleBox
          {...raffle}
          isSignedIn={user !== null}
          isOffered={tasks.tasks?.some(({ taskAction }) => taskAction === 'connect') ?? true}
          isReady={tasks.tasks !== undefined && mayEnterRaffle(tasks.tasks)}
        />
      </div>
    </Panel>
  );
}

function CodeBox({ isSignedIn, onGranted }: { isSignedIn: boolean; onGranted: () => void }) {
  const { code, change, error, isChecking, submit } = useAccessCode(onGranted);
  const titleId = useId();
  return (
    <form className={styles.box} aria-labelledby={titleId} onSubmit={submit} noValidate>
      <h3 className={styles.boxTitle} id={titleId}>
        {TEXT.accessCode.title}
      </h3>
      <p className={styles.note}>{TEXT.accessCode.hint}</p>
      <TextField
        className={styles.code}
        label={TEXT.accessCode.title}
        placeholder={TEXT.accessCode.placeholder}
        error={error}
        isCode
        value={code}
        disabled={isChecking || !isSignedIn}
        onChange={(event) => change(event.target.value)}
      />
      <Button
        className={styles.action}
        type="submit"
        icon={<Lock />}
        isBusy={isChecking}
        disabled={!isSignedIn}
      >
        {isSignedIn ? TEXT.accessCode.unlock : TEXT.accessCode.connectFirst}
      </Button>
    </form>
  );
}

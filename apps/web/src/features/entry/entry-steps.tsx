import { Check, Info, LoaderCircle, X } from 'lucide-react';
import { shortHash } from '../../shared/short-hash.ts';
import { TEXT } from '../../shared/text.ts';
import type { EntryProgress } from './entry-flow.ts';
import { type EntryStep, entrySteps } from './entry-state.ts';
import styles from './entry-steps.module.css';

/** Takes the place of the fee table once the entry is under way; before that it only holds the room. */
export function EntrySteps({ progress }: { progress: EntryProgress | undefined }) {
  const signature = progress && 'signature' in progress ? progress.signature : undefined;
  const short = signature && signature.length > 8 ? shortHash(signature) : undefined;
  const steps = entrySteps(progress ?? { step: 'creating' }, short);
  return (
    <div className={styles.steps} data-hidden={progress === undefined} aria-hidden={progress === undefined}>
      <ol className={styles.list}>
        {steps.map((step) => (
          <li key={step.key} className={styles.step} data-state={step.state}>
            <span className={styles.disc}>
              <StepIcon state={step.state} />
            </span>
            <div>
              <p className={styles.label}>{step.label}</p>
              {step.detail && <p className={styles.detail}>{step.detail}</p>}
            </div>
          </li>
        ))}
      </ol>
      <p className={styles.note}>
        <Info size={18} strokeWidth={2.25} />
        {TEXT.entry.keepOpen}
      </p>
    </div>
  );
}

function StepIcon({ state }: { state: EntryStep['state'] }) {
  switch (state) {
    case 'done':
      return <Check size={16} strokeWidth={2.5} />;
    case 'running':
      return <LoaderCircle className={styles.turning} size={16} strokeWidth={2.75} />;
    case 'failed':
      return <X size={16} strokeWidth={2.5} />;
    case 'ahead':
      return null;
  }
}

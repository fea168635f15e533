import { CHECKS, type CheckName, type CheckReport } from '@engulf/verify/checks';
import { Check, CircleHelp, Play, X } from 'lucide-react';
import { Spinner } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Popup, PopupLead } from '../../ui/popup.tsx';
import { VERIFY_TEXT } from './text.ts';
import { useVerification, type Verification } from './use-verification.ts';
import styles from './verify-dialog.module.css';

type VerifyDialogProps = { matchId: string; onClose: () => void };

/** Checks a match and shows every step of it. */
export function VerifyDialog({ matchId, onClose }: VerifyDialogProps) {
  const verification = useVerification(matchId);
  const { reports, finalTick, result } = verification;
  const isChecked = result === undefined || result.kind === 'checked';
  return (
    <Popup title={VERIFY_TEXT.title} isOpen size="xl" onClose={onClose}>
      <PopupLead>{VERIFY_TEXT.lead}</PopupLead>
      <p className={styles.match}>{VERIFY_TEXT.match(matchId)}</p>
      {isChecked && !verification.hasFailed && (
        <ol className={styles.steps}>
          {CHECKS.map((check) => (
            <Step key={check} check={check} report={reports[check]} finalTick={finalTick} />
          ))}
        </ol>
      )}
      <footer className={styles.footer}>
        <Outcome verification={verification} />
        {result?.kind === 'checked' && (
          <a className={styles.watch} href={`/replay/${matchId}`}>
            <Play size={15} strokeWidth={2.25} />
            {VERIFY_TEXT.watch}
          </a>
        )}
      </footer>
    </Popup>
  );
}

type StepProps = { check: CheckName; report: CheckReport | undefined; finalTick: number | null };

function Step({ check, report, finalTick }: StepProps) {
  const [name, claim] = VERIFY_TEXT.checks[check];
  const state = report?.state ?? 'waiting';
  const isCounting = report?.state === 'running' && report.tick !== undefined;
  return (
    <li className={styles.step} data-state={state}>
      <span className={styles.icon} role="img" aria-label={VERIFY_TEXT.states[state]}>
        <StateIcon state={state} />
      </span>
      <div className={styles.about}>
        <b>{name}</b> <span className={styles.claim}>{claim}</span>
        {report && report.what !== '' && <p className={styles.what}>{report.what}</p>}
        {isCounting && (
          <p className={styles.what}>
            <progress className={styles.progress} value={report.tick} max={finalTick ?? undefined} />
            {VERIFY_TEXT.tick(report.tick!, finalTick)}
          </p>
        )}
      </div>
    </li>
  );
}

function StateIcon({ state }: { state: keyof typeof VERIFY_TEXT.states }) {
  if (state === 'running') return <Spinner />;
  if (state === 'fits') return <Check size={18} strokeWidth={2.75} />;
  if (state === 'wrong') return <X size={18} strokeWidth={2.75} />;
  return state === 'open' ? <CircleHelp size={18} strokeWidth={2.25} /> : null;
}

/** One sentence, when there is something to say. */
function Outcome({ verification }: { verification: Verification }) {
  const outcome = outcomeOf(verification);
  if (!outcome) return <span role="status" />;
  const isBad = outcome === 'wrong' || outcome === 'failed';
  return (
    <p
      className={classNames(styles.outcome, outcome === 'right' && styles.right, isBad && styles.bad)}
      role={isBad ? 'alert' : 'status'}
    >
      {VERIFY_TEXT.verdicts[outcome]}
    </p>
  );
}

function outcomeOf({ result, hasFailed }: Verification): keyof typeof VERIFY_TEXT.verdicts | undefined {
  if (hasFailed) return 'failed';
  if (result?.kind !== 'checked') return result?.kind;
  if (result.verdict.wrong) return 'wrong';
  return result.verdict.isRight ? 'right' : 'open';
}

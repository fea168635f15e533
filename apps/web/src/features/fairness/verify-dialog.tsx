import { formatExactAmount } from '@engulf/domain/money/amount';
import type { PublicMatch } from '@engulf/protocol/http/matches';
import { CHECKS, type CheckName, type CheckReport, type SoFar } from '@engulf/verify/checks';
import { Check, CircleHelp, Play, X } from 'lucide-react';
import { useState } from 'react';
import { spanText } from '../../shared/format.ts';
import { Spinner } from '../../ui/button.tsx';
import { classNames } from '../../ui/class-names.ts';
import { Fold } from '../../ui/fold.tsx';
import { Popup, PopupLead } from '../../ui/popup.tsx';
import { NodeField } from './node-field.tsx';
import { VERIFY_TEXT } from './text.ts';
import { useVerification, type Verification } from './use-verification.ts';
import styles from './verify-dialog.module.css';

type VerifyDialogProps = {
  matchId: string;
  /** Whose entries are named. */
  userId?: string | undefined;
  onClose: () => void;
};

/** Checks a match and shows every step of it. */
export function VerifyDialog({ matchId, userId, onClose }: VerifyDialogProps) {
  const [request, setRequest] = useState<{ rpcUrl: string | undefined }>(FIRST_REQUEST);
  const verification = useVerification(matchId, request);
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
      {result?.kind === 'checked' && (
        <OwnEntries match={result.match} soFar={result.verdict.soFar} userId={userId} />
      )}
      <footer className={styles.footer}>
        <Outcome verification={verification} />
        {result?.kind === 'checked' && !result.verdict.soFar && (
          <a className={styles.watch} href={`/replay/${matchId}`}>
            <Play size={15} strokeWidth={2.25} />
            {VERIFY_TEXT.watch}
          </a>
        )}
      </footer>
      {(result !== undefined || verification.hasFailed) && (
        <NodeField action={VERIFY_TEXT.node.again} onAsk={(rpcUrl) => setRequest({ rpcUrl })} />
      )}
      <Limits />
    </Popup>
  );
}

const FIRST_REQUEST = { rpcUrl: undefined };

type OwnEntriesProps = { match: PublicMatch; soFar: SoFar | undefined; userId: string | undefined };

function OwnEntries({ match, soFar, userId }: OwnEntriesProps) {
  const own = (match.entries ?? []).filter(({ player }) => player.id === userId);
  const token = { symbol: match.tokenSymbol, decimals: match.tokenDecimals };
  const text = (amount: string) => `${formatExactAmount(BigInt(amount), token)} ${match.tokenSymbol}`;
  return own.map(({ id, stake, amount }) => (
    <p key={id} className={styles.own}>
      {soFar && !soFar.settled.has(id)
        ? VERIFY_TEXT.ownLater(text(stake))
        : VERIFY_TEXT.own(text(stake), text(amount ?? '0'))}
    </p>
  ));
}

function Limits() {
  const { title, proven, unproven } = VERIFY_TEXT.limits;
  const rows = [
    ...proven.map((text) => ({ text, isProven: true })),
    ...unproven.map((text) => ({ text, isProven: false })),
  ];
  return (
    <Fold title={title} className={styles.limits}>
      {rows.map(({ text, isProven }) => (
        <p key={text} className={styles.limit}>
          {isProven ? <Check size={15} strokeWidth={2.5} /> : <X size={15} strokeWidth={2.5} />}
          {text}
        </p>
      ))}
    </Fold>
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
        {report?.notes?.map((note) => (
          <p key={note} className={styles.what}>
            {note}
          </p>
        ))}
        {report?.later?.map((what) => (
          <p key={what} className={styles.what}>
            {VERIFY_TEXT.later(what)}
          </p>
        ))}
        {isCounting && (
          <p className={styles.what}>
            <progress className={styles.progress} value={report.tick} max={finalTick ?? undefined} />
            {VERIFY_TEXT.played(report.tick!, finalTick)}
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
      {outcome === 'soFar'
        ? VERIFY_TEXT.verdicts.soFar(spanText(soFarMs(verification)))
        : VERIFY_TEXT.verdicts[outcome]}
    </p>
  );
}

function outcomeOf({ result, hasFailed }: Verification): keyof typeof VERIFY_TEXT.verdicts | undefined {
  if (hasFailed) return 'failed';
  if (result?.kind !== 'checked') return result?.kind;
  if (result.verdict.wrong) return 'wrong';
  if (result.verdict.open.length > 0) return 'open';
  return result.verdict.soFar ? 'soFar' : result.verdict.isRight ? 'right' : 'open';
}

function soFarMs({ result }: Verification): number {
  return 1000 * (result?.kind === 'checked' ? (result.verdict.soFar?.seconds ?? 0) : 0);
}

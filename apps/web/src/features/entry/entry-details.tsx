import { formatSeats, parseSeats } from '@engulf/domain/lobby/lobby-type';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import { Check, Clock3, Info, LoaderCircle, ShieldCheck, Signature, X } from 'lucide-react';
import type { ReactNode } from 'react';
import { shortHash } from '../../shared/format.ts';
import { lobbyFee, lobbyPool, type MoneyText } from '../../shared/lobby-money.ts';
import { TEXT } from '../../shared/text.ts';
import { Amount, KeyHint } from '../../ui/chip.tsx';
import styles from './entry-details.module.css';
import type { EntryProgress } from './entry-flow.ts';
import { type EntryState, type EntryStep, entrySteps } from './entry-state.ts';

type EntryDetailsProps = {
  lobby: Lobby;
  config: PublicConfig;
  payer: string;
  players: number;
  poolTotal: bigint;
  obstacle: EntryState['obstacle'];
  /** Keeps its room, so that the popup does not change its size. */
  isHidden: boolean;
};

/** What the player is about to agree to: the consequences before the payment. */
export function EntryDetails(props: EntryDetailsProps) {
  const { lobby, config, payer, players, poolTotal, obstacle, isHidden } = props;
  const fee = lobbyFee(lobby, config.solUsdMicro);
  return (
    <div className={styles.details} data-hidden={isHidden} aria-hidden={isHidden}>
      {obstacle && (
        <div className={styles.obstacle}>
          <Clock3 size={26} strokeWidth={2.25} />
          <div>
            <p className={styles.obstacleText}>{obstacle.text}</p>
            {obstacle.detail && <p className={styles.obstacleDetail}>{obstacle.detail}</p>}
          </div>
        </div>
      )}
      <dl>
        <Row label={TEXT.entry.entryFee}>{fee ? <Money money={fee} /> : TEXT.lobbies.free}</Row>
        <Row label={TEXT.entry.livePool}>
          <Money money={lobbyPool(lobby, poolTotal, config.solUsdMicro)} />
        </Row>
        <Row label={TEXT.entry.players}>
          {formatSeats({ current: players, max: parseSeats(lobby.players).max })}
        </Row>
        {fee && !obstacle && <Row label={TEXT.entry.payingFrom}>{shortHash(payer)}</Row>}
      </dl>
      {!obstacle && (
        <>
          <p className={styles.note}>
            {fee ? <Signature size={18} strokeWidth={2.25} /> : <ShieldCheck size={18} strokeWidth={2.25} />}
            {fee ? TEXT.entry.signHint : TEXT.entry.freeHint}
          </p>
          <div className={styles.keys}>
            <KeyHint keyName={TEXT.entry.eject.key} action={TEXT.entry.eject.action} />
            <KeyHint keyName={TEXT.entry.split.key} action={TEXT.entry.split.action} />
          </div>
        </>
      )}
    </div>
  );
}

function Row({ label, children }: { label: string; children: ReactNode }) {
  return (
    <div className={styles.row}>
      <dt className={styles.label}>{label}</dt>
      <dd className={styles.value}>{children}</dd>
    </div>
  );
}

function Money({ money }: { money: MoneyText }) {
  return (
    <>
      <Amount figure={money.figure} unit={money.unit} />
      {money.usd && <span className={styles.usd}>{money.usd}</span>}
    </>
  );
}

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
              <p className={styles.entryStepsLabel}>{step.label}</p>
              {step.detail && <p className={styles.detail}>{step.detail}</p>}
            </div>
          </li>
        ))}
      </ol>
      <p className={styles.entryStepsNote}>
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

import { formatSeats, parseSeats } from '@engulf/domain/lobby/lobby-type';
import { FAR_MS } from '@engulf/domain/lobby/region';
import type { PublicConfig } from '@engulf/protocol/http/config';
import type { Lobby } from '@engulf/protocol/lobby';
import {
  Check,
  Clock3,
  Hourglass,
  Info,
  LoaderCircle,
  Scale,
  ShieldCheck,
  Signature,
  UserRound,
  Users,
  X,
} from 'lucide-react';
import type { ReactNode } from 'react';
import { abbreviate } from '../../shared/format.ts';
import { lobbyFee, lobbyPool, lobbySplit, type MoneyText } from '../../shared/lobby-money.ts';
import { TEXT } from '../../shared/text.ts';
import { Amount, KeyHint } from '../../ui/chip.tsx';
import styles from './entry-details.module.css';
import type { EntryProgress } from './entry-flow.ts';
import { type EntryState, type EntryStep, entrySteps } from './entry-state.ts';

export type KeyHintText = { readonly keyName: string; readonly label: string };

type EntryDetailsProps = {
  lobby: Lobby;
  config: PublicConfig;
  payer: string;
  players: number;
  bots: number;
  poolTotal: bigint;
  obstacle: EntryState['obstacle'];
  /** It changed while the player looked at it. */
  hasNewPrice: boolean;
  /** How far away the lobby is, if that is known. */
  wayMs: number | undefined;
  /** The player may wait for others first. */
  canGather: boolean;
  /** The player was called: how long the seat is held. */
  heldForSeconds: number | undefined;
  keyHints: readonly KeyHintText[];
  /** Hidden details still take up space, so that the popup keeps its size. */
  isHidden: boolean;
};

/** What the player agrees to by paying. */
export function EntryDetails(props: EntryDetailsProps) {
  const { lobby, config, payer, players, bots, poolTotal, obstacle, hasNewPrice, keyHints, isHidden } = props;
  const { canGather, heldForSeconds, wayMs } = props;
  const fee = lobbyFee(lobby, config.prices.usdMicro);
  const split = obstacle ? undefined : lobbySplit(lobby, config.platformFeeBasisPoints);
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
        {split && (
          <Row label={TEXT.entry.stake}>
            <Money money={split.stake} />
            <span className={styles.usd}>
              {TEXT.entry.platformFee(
                `${split.platformFee.figure} ${split.platformFee.unit}`,
                formatPercent(config.platformFeeBasisPoints),
              )}
            </span>
          </Row>
        )}
        <Row label={TEXT.entry.livePool}>
          <Money money={lobbyPool(lobby, poolTotal, config.prices.usdMicro)} />
        </Row>
        <Row label={TEXT.entry.players}>
          {formatSeats({ current: players, max: parseSeats(lobby.players).max })}
          {bots > 0 && <span className={styles.usd}>{TEXT.lobbies.bots(bots)}</span>}
        </Row>
        {lobby.region !== null && (
          <Row label={TEXT.entry.region}>
            {wayMs === undefined ? lobby.region : TEXT.lobbies.away(lobby.region, wayMs)}
          </Row>
        )}
        {fee && !obstacle && <Row label={TEXT.entry.payingFrom}>{abbreviate(payer)}</Row>}
      </dl>
      {!obstacle && (
        <>
          {fee && wayMs !== undefined && wayMs >= FAR_MS && (
            <p className={styles.note} data-warning role="alert">
              <Hourglass size={18} strokeWidth={2.25} />
              {TEXT.entry.far(wayMs)}
            </p>
          )}
          {hasNewPrice && (
            <p className={styles.note} role="status">
              <Info size={18} strokeWidth={2.25} />
              {TEXT.entry.newPrice}
            </p>
          )}
          {heldForSeconds !== undefined && (
            <p className={styles.note} role="status">
              <Users size={18} strokeWidth={2.25} />
              {TEXT.gathering.heldFor(heldForSeconds)}
            </p>
          )}
          {fee && players === 0 && heldForSeconds === undefined && (
            <p className={styles.note}>
              <UserRound size={18} strokeWidth={2.25} />
              {TEXT.entry.nobodyInside}
            </p>
          )}
          {canGather && (
            <p className={styles.note}>
              <Users size={18} strokeWidth={2.25} />
              {TEXT.gathering.offerNote}
            </p>
          )}
          {fee && (
            <p className={styles.note}>
              <Scale size={18} strokeWidth={2.25} />
              {TEXT.entry.outcomes}
            </p>
          )}
          <p className={styles.note}>
            {fee ? <Signature size={18} strokeWidth={2.25} /> : <ShieldCheck size={18} strokeWidth={2.25} />}
            {fee ? TEXT.entry.signHint : TEXT.entry.freeHint}
          </p>
          <div className={styles.keys}>
            {keyHints.map(({ keyName, label }) => (
              <KeyHint key={keyName} keyName={keyName} action={label} />
            ))}
          </div>
        </>
      )}
    </div>
  );
}

function formatPercent(basisPoints: number): string {
  return String(basisPoints / 100);
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

/** Replaces the details once the entry is under way; invisible until then. */
export function EntrySteps({ progress }: { progress: EntryProgress | undefined }) {
  const signature = progress && 'signature' in progress ? progress.signature : undefined;
  const short = signature && signature.length > 8 ? abbreviate(signature) : undefined;
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
              <p className={styles.stepLabel}>{step.label}</p>
              {step.detail && <p className={styles.detail}>{step.detail}</p>}
            </div>
          </li>
        ))}
      </ol>
      <p className={styles.stepsNote}>
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

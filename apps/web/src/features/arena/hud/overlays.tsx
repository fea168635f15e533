import { PAID_SPECTATOR_DELAY_SECONDS } from '@engulf/protocol/room/server-messages';
import { type ReactNode, useState } from 'react';
import { isFreeLobby } from '../../../shared/lobby-money.ts';
import { serverNowMs } from '../../../shared/server-clock.ts';
import { useNow } from '../../../shared/use-now.ts';
import { Button } from '../../../ui/button.tsx';
import type { ArenaVisit } from '../arena-visit.ts';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import styles from './overlays.module.css';
import { WayBack } from './way-back.tsx';

export function LoadingOverlay({ visit, onBack }: { visit: ArenaVisit; onBack: () => void }) {
  const { title, text } = ARENA_TEXT.loading;
  const isJoined = useHud((hud) => hud.isJoined);
  const isSpectator = visit.type === 'spectator';
  const isDelayed = isSpectator && !isFreeLobby(visit.lobby);
  return (
    <Cover>
      <Card title={title} text={text} crest={<Mark />}>
        {isDelayed && <DelayNote />}
        <div className={styles.bar}>
          <i />
        </div>
        {(isSpectator || !isJoined) && <WayBack visit={visit} onBack={onBack} />}
      </Card>
    </Cover>
  );
}

/** Counts from the request to watch: the room delays the first update by that long. */
function DelayNote() {
  const [sinceMs] = useState(serverNowMs);
  const nowMs = useNow(250);
  const left = Math.ceil(PAID_SPECTATOR_DELAY_SECONDS - (nowMs - sinceMs) / 1000);
  const { why, wait } = ARENA_TEXT.spectator;
  return (
    <p className={styles.lead}>
      {why} {left > 0 && wait(left)}
    </p>
  );
}

/** Joining the room failed. */
export function FailedOverlay({ onBack }: { onBack: () => void }) {
  const reason = useHud((hud) => hud.failure);
  const { title, text } = ARENA_TEXT.failed;
  return (
    <Cover>
      <Card title={title} text={text} crest={<Mark />}>
        {reason && <p className={styles.lead}>{`${reason.title}: ${reason.text}`}</p>}
        <div className={styles.actions}>
          <Button variant="primary" onClick={onBack}>
            {ARENA_TEXT.back}
          </Button>
        </div>
      </Card>
    </Cover>
  );
}

export function BrokenOverlay({ onBack }: { onBack: () => void }) {
  const { title, reload } = ARENA_TEXT.broken;
  return (
    <Cover>
      <Card title={title} text={ARENA_TEXT.failed.text} crest={<Mark />}>
        <div className={styles.actions}>
          <Button onClick={onBack}>{ARENA_TEXT.back}</Button>
          <Button variant="primary" onClick={() => window.location.reload()}>
            {reload}
          </Button>
        </div>
      </Card>
    </Cover>
  );
}

/** The network is lost or the tab hidden: seconds until the player is removed. The arena stays visible. */
export function CountdownOverlay() {
  const countdown = useHud((hud) => hud.countdown);
  if (!countdown) return null;
  const { title, text } = ARENA_TEXT[countdown.kind];
  return (
    <div className={styles.notice} role="alert">
      <Card title={title} text={text} crest={<span className={styles.count}>{countdown.secondsLeft}</span>} />
    </div>
  );
}

function Cover({ children }: { children: ReactNode }) {
  return <div className={styles.cover}>{children}</div>;
}

type CardProps = { title: string; text: string; crest: ReactNode; children?: ReactNode };

function Card({ title, text, crest, children }: CardProps) {
  return (
    <div className={styles.card}>
      {crest}
      <div className={styles.text}>
        <h2 className={styles.title}>{title}</h2>
        <p className={styles.lead}>{text}</p>
        {children}
      </div>
    </div>
  );
}

function Mark() {
  return <img src="/mark.svg" width={84} height={84} alt="" />;
}

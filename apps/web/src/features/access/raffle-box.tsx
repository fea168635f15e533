import { raffleCountdown, raffleDay } from '@engulf/domain/social/raffle';
import { RAFFLE_PAGE_PATH } from '@engulf/protocol/http/social';
import { Ticket } from 'lucide-react';
import { TEXT } from '../../shared/text.ts';
import { useNow } from '../../shared/use-now.ts';
import { Button } from '../../ui/button.tsx';
import styles from './early-access-panel.module.css';
import type { Raffle } from './use-raffle.ts';

type RaffleBoxProps = Pick<Raffle, 'raffle' | 'isEntering' | 'enter'> & {
  isSignedIn: boolean;
  /** All tasks are done. */
  isReady: boolean;
  /** Its tasks can be done here. */
  isOffered: boolean;
};

export function RaffleBox({ raffle, isEntering, enter, isSignedIn, isReady, isOffered }: RaffleBoxProps) {
  const nowMs = useNow(1_000);
  const { hours, minutes, seconds } = raffleCountdown(nowMs);
  const parts = [
    [hours, TEXT.raffle.hours],
    [minutes, TEXT.raffle.minutes],
    [seconds, TEXT.raffle.seconds],
  ] as const;
  const entered = raffle?.entered === true;
  const day = raffle?.lastDrawnDay ?? raffleDay(nowMs);
  return (
    <section className={styles.box} aria-label={TEXT.raffle.title}>
      <h3 className={styles.boxTitle}>{TEXT.raffle.title}</h3>
      <p className={styles.note} role="status">
        {noteOf(raffle, isOffered)}
      </p>
      <div className={styles.clock} role="timer" aria-label={TEXT.raffle.countdown}>
        {parts.map(([value, label]) => (
          <span key={label} className={styles.clockPart}>
            <b className={styles.clockValue}>{String(value).padStart(2, '0')}</b>
            <span className={styles.clockLabel}>{label}</span>
          </span>
        ))}
      </div>
      <a className={styles.proof} href={`${RAFFLE_PAGE_PATH}${day}`} target="_blank" rel="noreferrer">
        {TEXT.raffle.proof}
      </a>
      <Button
        className={styles.action}
        icon={<Ticket />}
        isBusy={isEntering}
        disabled={!isSignedIn || !isReady || entered}
        onClick={() => void enter()}
      >
        {entered ? TEXT.raffle.enteredAction : TEXT.raffle.enter}
      </Button>
    </section>
  );
}

function noteOf(raffle: RaffleBoxProps['raffle'], isOffered: boolean): string {
  if (raffle?.entered) return TEXT.raffle.entered;
  if (!isOffered) return TEXT.raffle.notOffered;
  return raffle?.result === 'lost' ? TEXT.raffle.lost : TEXT.raffle.lead;
}

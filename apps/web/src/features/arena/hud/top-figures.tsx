import { Orbit } from 'lucide-react';
import { Dot } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import { HudPanel } from './panel.tsx';
import styles from './top-figures.module.css';

/** The pool, and the time until players can leave with their share. */
export function TopFigures({ unit, isPlayMoney }: { unit: string; isPlayMoney: boolean }) {
  return (
    <div className={styles.figures}>
      <Pool unit={unit} isPlayMoney={isPlayMoney} />
      <PortalClock />
    </div>
  );
}

function Pool({ unit, isPlayMoney }: { unit: string; isPlayMoney: boolean }) {
  const pool = useHud((hud) => hud.pool);
  return (
    <HudPanel className={styles.pool}>
      <span className={styles.label}>
        <Dot isLive />
        {ARENA_TEXT.liveTvl}
      </span>
      <div className={styles.amount}>
        {pool ?? '–'}
        <small>{isPlayMoney ? `${unit}, ${ARENA_TEXT.playMoney}` : unit}</small>
      </div>
    </HudPanel>
  );
}

function PortalClock() {
  const tone = useHud((hud) => hud.sight.portalTimer.tone);
  const text = useHud((hud) => hud.sight.portalTimer.text);
  return (
    <HudPanel
      className={classNames(
        styles.timer,
        tone === 'live' && styles.live,
        tone === 'warning' && styles.warning,
      )}
    >
      <span className={styles.icon}>
        <Orbit strokeWidth={2.25} />
      </span>
      <div>
        <span className={styles.label}>{ARENA_TEXT.portalTimer}</span>
        <div className={styles.time} role="timer">
          {text}
        </div>
      </div>
    </HudPanel>
  );
}

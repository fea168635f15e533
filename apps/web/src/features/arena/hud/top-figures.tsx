import { Orbit } from 'lucide-react';
import { Dot } from '../../../ui/chip.tsx';
import { classNames } from '../../../ui/class-names.ts';
import { ARENA_TEXT } from '../text.ts';
import { useHud } from './hud-store.ts';
import { HudPanel } from './panel.tsx';
import styles from './top-figures.module.css';

/** The pool, and the time until players can leave with their share. */
export function TopFigures({ unit }: { unit: string }) {
  return (
    <div className={styles.figures}>
      <Pool unit={unit} />
      <PortalClock />
    </div>
  );
}

function Pool({ unit }: { unit: string }) {
  const pool = useHud((hud) => hud.pool);
  return (
    <HudPanel className={styles.pool}>
      <span className={styles.label}>
        <Dot isLive />
        {ARENA_TEXT.liveTvl}
      </span>
      <div className={styles.amount}>
        {pool ?? '–'}
        <small>{unit}</small>
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

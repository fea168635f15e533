import { Lock } from 'lucide-react';
import { PLAYER_COLOURS } from '../art/palette.ts';
import styles from './petri-gauge.module.css';

export type GaugeRim = 'plain' | 'portal' | 'danger';

type PetriGaugeProps = {
  filled: number;
  /** Besides the players; drawn smaller and paler, in seats that are free. */
  bots?: number;
  seats: number;
  rim?: GaugeRim;
  /** Picks the colours, so that two gauges differ. */
  seed: number;
  isLocked?: boolean;
  className?: string | undefined;
};

/** One dot per seat: filled for a player, paler for a bot, a ring for a free seat. */
export function PetriGauge({
  filled,
  bots = 0,
  seats,
  rim = 'plain',
  seed,
  isLocked,
  className,
}: PetriGaugeProps) {
  return (
    <svg className={className} viewBox="0 0 48 48" aria-hidden="true">
      <circle cx="24" cy="24" r="23" fill="var(--bg)" stroke="var(--line-strong)" strokeWidth="1.5" />
      <circle className={styles[rim]} cx="24" cy="24" r="20.6" fill="none" />
      {isLocked ? (
        <Lock className={styles.lock} x="15" y="15" width="18" height="18" strokeWidth={2.25} />
      ) : (
        seatDots(filled, bots, seats, seed).map(({ key, ...dot }) => <circle key={key} {...dot} />)
      )}
    </svg>
  );
}

/** More dots would touch; larger lobbies show the share of taken seats instead. */
const MAX_DOTS = 24;

function seatDots(filled: number, bots: number, seats: number, seed: number) {
  const shown = Math.max(1, Math.min(seats, MAX_DOTS));
  const shownFilled = seats <= shown ? Math.min(filled, shown) : Math.ceil((filled / seats) * shown);
  const shownBots = seats <= shown ? bots : Math.ceil((bots / seats) * shown);
  const scale = Math.min(1, Math.sqrt(10 / shown));
  return Array.from({ length: shown }, (_, index) => {
    const { x, y } = seatPosition(index, shown);
    if (index >= shownFilled + shownBots) {
      return {
        key: index,
        cx: x,
        cy: y,
        r: 2.3 * scale,
        fill: 'none',
        stroke: 'var(--line-strong)',
        strokeWidth: 1.3,
      };
    }
    const [fill] = PLAYER_COLOURS[(seed * 5 + index * 7) % PLAYER_COLOURS.length]!;
    const isBot = index >= shownFilled;
    const r = (3.1 + (index % 3) * 0.45) * scale * (isBot ? 0.8 : 1);
    return { key: index, cx: x, cy: y, r, fill, opacity: isBot ? 0.55 : 1 };
  });
}

const GOLDEN_ANGLE = Math.PI * (3 - Math.sqrt(5));
const DISH_RADIUS = 18.4;

/** A sunflower pattern, evenly spaced for any number of seats. */
function seatPosition(index: number, seats: number) {
  const radius = DISH_RADIUS * Math.sqrt((index + 1) / (seats + 0.4));
  const angle = index * GOLDEN_ANGLE;
  return { x: round(24 + radius * Math.cos(angle)), y: round(24 + radius * Math.sin(angle)) };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

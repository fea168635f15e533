import type { ReactNode } from 'react';
import styles from './chip.module.css';
import { classNames } from './class-names.ts';
import tones from './tones.module.css';

export type ChipTone = 'neutral' | 'profit' | 'danger' | 'portal' | 'info' | 'own' | 'yolk' | 'outline';

type ChipProps = { tone?: ChipTone; icon?: ReactNode; className?: string | undefined; children: ReactNode };

export function Chip({ tone = 'neutral', icon, className, children }: ChipProps) {
  return (
    <span className={classNames(styles.chip, tones[tone], className)}>
      {icon}
      {children}
    </span>
  );
}

/** A dot in the chip's colour, or a green one for something live. */
export function Dot({ isLive = false }: { isLive?: boolean }) {
  return <span className={classNames(styles.dot, isLive && styles.live)} />;
}

type AmountProps = {
  /** For display: '0.742'. */
  figure: string;
  unit: string;
  tone?: 'plain' | 'profit' | 'danger';
  className?: string | undefined;
};

/** An amount of money. Figure and unit stay on one line. */
export function Amount({ figure, unit, tone = 'plain', className }: AmountProps) {
  return (
    <span
      className={classNames(
        styles.amount,
        tone === 'profit' && styles.gain,
        tone === 'danger' && styles.loss,
        className,
      )}
    >
      {figure}
      {unit !== '' && <span className={styles.unit}>{unit}</span>}
    </span>
  );
}

/** A key and what it does. */
export function KeyHint({ keyName, action }: { keyName: string; action: string }) {
  return (
    <span className={styles.hint}>
      <kbd className={styles.key} data-wide={keyName.length > 3}>
        {keyName}
      </kbd>
      {action}
    </span>
  );
}

import type { ReactNode } from 'react';
import styles from './chip.module.css';
import { classNames } from './class-names.ts';

export type ChipTone = 'neutral' | 'profit' | 'danger' | 'portal' | 'info' | 'own' | 'yolk' | 'outline';

type ChipProps = { tone?: ChipTone; icon?: ReactNode; className?: string | undefined; children: ReactNode };

export function Chip({ tone = 'neutral', icon, className, children }: ChipProps) {
  return (
    <span className={classNames(styles.chip, styles[tone], className)}>
      {icon}
      {children}
    </span>
  );
}

/** A dot in the chip's own colour, or a green one that means live. */
export function Dot({ isLive = false }: { isLive?: boolean }) {
  return <span className={classNames(styles.dot, isLive && styles.live)} />;
}

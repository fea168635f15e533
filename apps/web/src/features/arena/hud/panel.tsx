import type { ReactNode } from 'react';
import { classNames } from '../../../ui/class-names.ts';
import styles from './panel.module.css';

type HudPanelProps = {
  title?: string;
  /** Shown opposite the title. */
  aside?: ReactNode;
  className?: string | undefined;
  /** `status` is read aloud when it changes. */
  role?: 'status';
  children: ReactNode;
};

export function HudPanel({ title, aside, className, role, children }: HudPanelProps) {
  return (
    <section className={classNames(styles.panel, className)} role={role} aria-label={title}>
      {title !== undefined && (
        <header className={styles.header}>
          <h3 className={styles.title}>{title}</h3>
          {aside}
        </header>
      )}
      {children}
    </section>
  );
}

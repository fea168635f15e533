import type { ComponentProps, ReactNode } from 'react';
import { classNames } from './class-names.ts';
import styles from './panel.module.css';

export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={classNames(styles.panel, className)} {...rest} />;
}

/** `children` stand opposite the title. */
export function PanelHeader({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className={styles.header}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </header>
  );
}

import type { ComponentProps, ReactNode } from 'react';
import { TEXT } from '../shared/text.ts';
import { Button } from './button.tsx';
import { classNames } from './class-names.ts';
import { ErrorBoundary } from './error-boundary.tsx';
import styles from './panel.module.css';

export function Panel({ className, ...rest }: ComponentProps<'section'>) {
  return <section className={classNames(styles.panel, className)} {...rest} />;
}

/** `children` go opposite the title. */
export function PanelHeader({ title, children }: { title: ReactNode; children?: ReactNode }) {
  return (
    <header className={styles.header}>
      <h2 className={styles.title}>{title}</h2>
      {children}
    </header>
  );
}

/** Keeps an error inside the panel it happened in. */
export function PanelBoundary({ children }: { children: ReactNode }) {
  const renderFailure = (retry: () => void) => (
    <Panel>
      <EmptyState text={TEXT.panelFailed}>
        <Button size="sm" onClick={retry}>
          {TEXT.tryAgain}
        </Button>
      </EmptyState>
    </Panel>
  );
  return <ErrorBoundary fallback={renderFailure}>{children}</ErrorBoundary>;
}

/** A sentence and at most one button. */
export function EmptyState({ text, children }: { text: string; children?: ReactNode }) {
  return (
    <div className={styles.empty}>
      <span className={styles.dish}>
        <span className={styles.ring} />
      </span>
      <p className={styles.text}>{text}</p>
      {children}
    </div>
  );
}

/** A placeholder while loading; `className` gives its size and radius. */
export function Skeleton({ className }: { className?: string | undefined }) {
  return <span className={classNames(styles.skeleton, className)} aria-hidden="true" />;
}

/** Placeholder rows of a list: avatar, name and amount. */
export function SkeletonRows({ count, label }: { count: number; label: string }) {
  return (
    <div className={styles.rows} role="status" aria-label={label}>
      {Array.from({ length: count }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: the rows are alike and never move.
        <div key={index} className={styles.row}>
          <Skeleton className={styles.round} />
          <Skeleton className={styles.line} />
          <Skeleton className={styles.figure} />
        </div>
      ))}
    </div>
  );
}

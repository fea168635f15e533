import type { ReactNode } from 'react';
import styles from './empty-state.module.css';

/** A dashed empty dish, one sentence, at most one button. */
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
